// The line protocol of the Node peers; the same as ndjson_loop.py.
import { createInterface } from "node:readline";

const ROUNDS = 20;
const ROUND_NS = 1_000_000n;

export class Refused extends Error {}
export class Unusable extends Error {}

/** The arguments as a host hands them over after its own JSON.parse. */
export function valueOf(request) {
  if ("args" in request) return request.args;
  try {
    return JSON.parse(request.args_text);
  } catch (error) {
    throw new Refused(`not JSON: ${error.message}`);
  }
}

/** The arguments as recorded text. */
export function textOf(request) {
  return "args_text" in request ? request.args_text : JSON.stringify(request.args);
}

/** Answer every line; `prepare` returns the repair of one call, which alone is timed. */
export async function serve(prepare) {
  for await (const line of createInterface({ input: process.stdin })) {
    const request = JSON.parse(line);
    const answer = { id: request.id, ...(await answerOf(request, prepare)) };
    process.stdout.write(`${JSON.stringify(answer, finite)}\n`);
  }
}

async function answerOf(request, prepare) {
  try {
    const repair = prepare(request);
    try {
      const value = await repair();
      return { arguments: value === undefined ? null : value, ns: await nanoseconds(repair) };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return { refused: error.message.slice(0, 200), ns: await nanoseconds(quiet(repair)) };
    }
  } catch (error) {
    if (error instanceof Refused) return { refused: error.message.slice(0, 200) };
    return { unusable: `${error.name}: ${error.message}`.slice(0, 200) };
  }
}

function quiet(repair) {
  const ignore = (error) => {
    if (!(error instanceof Refused)) throw error;
  };
  if (isAsync(repair)) return async () => repair().catch(ignore);
  return () => {
    try {
      repair();
    } catch (error) {
      ignore(error);
    }
  };
}

function isAsync(repair) {
  return repair.constructor.name === "AsyncFunction";
}

async function nanoseconds(repair) {
  const mustWait = isAsync(repair);
  let count = 1;
  let best = Infinity;
  for (let round = 0; round < ROUNDS; round += 1) {
    let spent = 0n;
    for (;;) {
      const start = process.hrtime.bigint();
      if (mustWait) for (let turn = 0; turn < count; turn += 1) await repair();
      else for (let turn = 0; turn < count; turn += 1) repair();
      spent = process.hrtime.bigint() - start;
      if (spent >= ROUND_NS || count >= 1_000_000) break;
      count *= 4;
    }
    best = Math.min(best, Number(spent) / count);
  }
  return best;
}

function finite(_key, value) {
  return typeof value === "number" && !Number.isFinite(value) ? `not JSON: ${value}` : value;
}
