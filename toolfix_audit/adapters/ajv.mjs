// One Ajv validator per schema, for the engine and the judge.
import { needed } from "./lines.mjs";

const KEPT = 2000;

/** A function from a schema to its validator, compiled once per distinct schema. */
export async function compiler(options) {
  const { module: modern, version } = await needed("ajv", "/dist/2020.js");
  const { module: draft7 } = await needed("ajv");
  const classes = { modern: modern.default.default ?? modern.default, draft7: draft7.default.default ?? draft7.default };
  const known = new Map();

  function compiled(schema) {
    const text = JSON.stringify(schema);
    if (!known.has(text)) {
      if (known.size >= KEPT) known.clear();
      known.set(text, made(schema));
    }
    return known.get(text);
  }

  function made(schema) {
    const draft = typeof schema === "object" ? String(schema.$schema ?? "") : "";
    const Ajv = /draft-0[67]/.test(draft) ? classes.draft7 : classes.modern;
    // A fresh instance each: an `$id` that two schemas share is no conflict.
    return new Ajv({
      strict: false,
      validateFormats: false,
      logger: false,
      ...options,
    }).compile(schema);
  }

  return { compiled, version };
}
