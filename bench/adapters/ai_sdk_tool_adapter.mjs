// @ai-sdk-tool/parser. `middleware`: the documented use, a model's answer through `wrapGenerate`
// with the Hermes protocol. `coerce`: its schema coercion alone, on a value.
import { createRequire } from "node:module";
import { Refused, serve, textOf, valueOf } from "./ndjson_loop.mjs";

const require = createRequire(`${process.env.PEERS_NODE}/`);
const parser = require("@ai-sdk-tool/parser");
const { coerceBySchema } = require("@ai-sdk-tool/parser/schema-coerce");

function throughMiddleware(request) {
  const tools = [{ type: "function", name: "tool", inputSchema: request.schema }];
  const originalTools = parser.originalToolsSchema.encode(tools);
  const params = { prompt: [], tools, providerOptions: { toolCallMiddleware: { originalTools } } };
  const text = `<tool_call>{"name":"tool","arguments":${textOf(request)}}</tool_call>`;
  const model = { finishReason: "stop", usage: {}, warnings: [] };
  const doGenerate = async () => ({ ...model, content: [{ type: "text", text }] });
  const protocol = parser.hermesProtocol();
  return async () => {
    const { content } = await parser.wrapGenerate({ protocol, doGenerate, params });
    const calls = content.filter((part) => part.type === "tool-call");
    if (calls.length !== 1) throw new Refused(`${calls.length} calls were recognised`);
    return JSON.parse(calls[0].input);
  };
}

function throughCoercion(request) {
  const given = valueOf(request);
  return () => coerceBySchema(given, request.schema);
}

await serve(process.argv[2] === "coerce" ? throughCoercion : throughMiddleware);
