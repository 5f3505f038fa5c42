// Ajv as a judge: every violation with its place, branches counted once.
import { compiler } from "./ajv.mjs";
import { serve } from "./lines.mjs";

const { compiled, version } = await compiler({ allErrors: true, verbose: true });

// These count once, whatever is wrong inside.
const WHOLE = new Set(["anyOf", "oneOf", "not", "contains", "propertyNames"]);

function judge({ schema, args }) {
  const validate = compiled(schema);
  if (validate(args)) return { violations: [] };
  const errors = validate.errors;
  const inner = new Set();
  errors.forEach((error, at) => {
    if (!WHOLE.has(error.keyword)) return;
    const parts = reachable(error.schema, schema);
    errors.slice(0, at).forEach((other) => {
      const below = other.instancePath.startsWith(error.instancePath);
      if (below && parts.has(other.parentSchema)) inner.add(other);
    });
  });
  const told = errors.filter((error) => !inner.has(error) && error.keyword !== "if");
  return { violations: told.map((error) => violation(error, args)) };
}

/** Every schema object inside a part of a schema, local references followed. */
function reachable(part, root) {
  const found = new Set();
  const todo = [part];
  while (todo.length) {
    const node = todo.pop();
    if (node === null || typeof node !== "object" || found.has(node)) continue;
    found.add(node);
    todo.push(...Object.values(node));
    if (typeof node.$ref === "string") todo.push(at(root, node.$ref));
  }
  return found;
}

function at(root, reference) {
  if (!reference.startsWith("#")) return undefined;
  return keys(decodeURIComponent(reference.slice(1))).reduce((node, key) => node?.[key], root);
}

function keys(pointer) {
  return pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function violation(error, args) {
  let node = args;
  const path = keys(error.instancePath).map((key) => {
    const part = Array.isArray(node) ? Number(key) : key;
    node = node?.[part];
    return part;
  });
  const key = error.params.missingProperty ?? error.params.additionalProperty ?? null;
  return {
    path,
    keyword: decodeURIComponent(error.schemaPath.slice(1)),
    key,
    message: error.message + (key === null ? "" : ` (${key})`),
  };
}

await serve("ajv", version, judge);
