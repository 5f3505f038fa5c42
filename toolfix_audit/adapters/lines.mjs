// The line protocol, for the Node adapters: a request in, an answer out; packages by name.
import { createRequire } from "node:module";
import path from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const MISSING_PACKAGE = 69;

/** Where packages are looked for: TOOLFIX_AUDIT_NODE_PATH, else the current folder. */
function places() {
  const named = process.env.TOOLFIX_AUDIT_NODE_PATH;
  const folders = named ? named.split(path.delimiter) : [process.cwd()];
  return folders.map((folder) =>
    path.basename(folder) === "node_modules" ? path.dirname(folder) : folder,
  );
}

function requireFrom(folder) {
  return createRequire(path.join(path.resolve(folder), "node_modules", "none.js"));
}

/** Import a package; without it, say on stderr what to install and end the process. */
export async function needed(name, within = "") {
  for (const folder of places()) {
    const require = requireFrom(folder);
    let file;
    try {
      file = require.resolve(name + within);
    } catch {
      continue;
    }
    try {
      const version = require(`${name}/package.json`).version;
      return { module: await import(pathToFileURL(file).href), version };
    } catch (error) {
      give_up(name, String(error.message).split("\n")[0]);
    }
  }
  give_up(name, `the npm package ${name} is not found`);
}

function give_up(name, cause) {
  process.stderr.write(
    `${cause}\ninstall: npm install ${name} (here, or in the folder that ` +
      "TOOLFIX_AUDIT_NODE_PATH names)\n",
  );
  process.exit(MISSING_PACKAGE);
}

/** Answer every line of stdin until it ends; what `answer` throws is an answer with an error. */
export async function serve(name, version, answer) {
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    if (!line) continue;
    const request = JSON.parse(line);
    let told;
    try {
      told = request.hello ? { name, version } : answer(request);
    } catch (error) {
      told = { error: String(error?.message ?? error).slice(0, 300) };
    }
    process.stdout.write(`${JSON.stringify({ id: request.id, ...told })}\n`);
  }
}
