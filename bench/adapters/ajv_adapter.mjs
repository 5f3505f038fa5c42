// ajv with `coerceTypes: true`, on a copy, as a host does before it runs a tool.
import { createRequire } from "node:module";
import { Refused, Unusable, serve, valueOf } from "./ndjson_loop.mjs";

const require = createRequire(`${process.env.PEERS_NODE}/`);
const Ajv = require("ajv");
const Ajv2020 = require("ajv/dist/2020");
const OPTIONS = { coerceTypes: true, strict: false, validateFormats: false, logger: false };

function validatorOf(schema) {
  const draft = String(schema.$schema ?? "");
  if (/draft-0[346]/.test(draft)) throw new Unusable(`ajv runs no ${draft} without an add-on`);
  const Chosen = draft.includes("draft-07") ? Ajv.default : Ajv2020.default;
  return new Chosen(OPTIONS).compile(schema);
}

function prepare(request) {
  const validate = validatorOf(request.schema);
  const given = valueOf(request);
  return () => {
    const holder = structuredClone(given);
    if (!validate(holder)) throw new Refused(JSON.stringify(validate.errors));
    return holder;
  };
}

await serve(prepare);
