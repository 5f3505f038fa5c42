// The validator of the dsh host, in the host's own words.
import { needed, serve } from "./lines.mjs";

const NAME = "@deepseek-ai/dsh-tools";
const { module: dsh, version } = await needed(NAME);
const MISSING = /^missing required property "(.*)"$/s;
const EXTRA = /^"(.*)" is not a declared property/s;
const OTHER = /^"(.*)" must be /s;

function judge({ schema, args }) {
  const texts = dsh.validateJsonSchemaValue(schema, args, "");
  return { violations: texts.map((text) => violation(text, args)) };
}

function violation(message, args) {
  const keyed = [
    [MISSING, "/required"],
    [EXTRA, "/additionalProperties"],
  ];
  for (const [pattern, keyword] of keyed) {
    const match = pattern.exec(message);
    const place = match && located(match[1], args);
    if (place) return { path: place.path, key: place.rest, keyword, message };
  }
  const match = OTHER.exec(message);
  const place = match && located(`${match[1]}.`, args);
  if (place && place.rest === "") {
    return { path: place.path, key: null, keyword: word(message), message };
  }
  return { message };
}

function word(message) {
  return message.includes("must be one of") ? "/enum" : "/type";
}

/** Walk a written place (`todos[0].status`) down the arguments, as far as it exists. */
function located(text, args) {
  const path = [];
  let node = args;
  let rest = text;
  for (;;) {
    const step = next(node, rest);
    if (step === null) return { path, rest };
    path.push(step.part);
    node = node[step.part];
    rest = step.rest;
  }
}

function next(node, text) {
  if (Array.isArray(node)) {
    const match = /^\[(\d+)\]\.?/.exec(text);
    return match && Number(match[1]) < node.length
      ? { part: Number(match[1]), rest: text.slice(match[0].length) }
      : null;
  }
  if (node === null || typeof node !== "object") return null;
  const names = Object.keys(node).sort((one, other) => other.length - one.length);
  for (const name of names) {
    if (name === "" || !text.startsWith(name)) continue;
    const rest = text.slice(name.length);
    if (rest[0] === ".") return { part: name, rest: rest.slice(1) };
    if (rest[0] === "[" && Array.isArray(node[name])) return { part: name, rest };
  }
  return null;
}

await serve(NAME, version, judge);
