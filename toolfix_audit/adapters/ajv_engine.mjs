// Ajv with coerceTypes as an engine: the coerced arguments where they validate, else nothing.
import { compiler } from "./ajv.mjs";
import { serve } from "./lines.mjs";

const { compiled, version } = await compiler({ coerceTypes: true });

function repair(request) {
  if (request.tools) return { refused: "names are none of its business" };
  let held;
  try {
    held = "args_text" in request ? JSON.parse(request.args_text) : request.args;
  } catch (error) {
    return { refused: error.message };
  }
  const sent = JSON.stringify(held);
  if (!compiled(request.schema)(held)) return { refused: "still not valid" };
  // Unchanged arguments are not written again: JavaScript would round their large numbers.
  return JSON.stringify(held) === sent ? { refused: "nothing to coerce" } : { arguments: held };
}

await serve("ajv", version, repair);
