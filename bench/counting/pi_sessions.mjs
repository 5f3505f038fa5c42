// Counts the calls of pi's sessions by pi's own parser: one JSON line for every path.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { join } from "node:path";

const home = join(process.env.READERS_NODE, "node_modules/@mariozechner/pi-coding-agent");
const { parseSessionEntries } = await import(
  pathToFileURL(join(home, "dist/core/session-manager.js")).href
);

for await (const path of createInterface({ input: process.stdin })) {
  let calls = 0;
  for (const entry of parseSessionEntries(readFileSync(path, "utf8"))) {
    const content = entry.type === "message" ? entry.message.content : null;
    for (const block of Array.isArray(content) ? content : []) {
      if (block.type === "toolCall") calls += 1;
    }
  }
  console.log(JSON.stringify({ path, calls }));
}
