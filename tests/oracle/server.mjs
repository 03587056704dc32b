// A real Mastra server with models that always say the same. Beside Mastra's own routes, `POST /own/agents/:id` and
// `POST /own/workflows/:id` run the same thing in this process and answer with the values that Mastra itself settles.
// Prints its port when it is ready, and ends with its standard input.
import { serve } from "@hono/node-server";
import { Mastra } from "@mastra/core";
import { Agent } from "@mastra/core/agent";
import { MockMemory } from "@mastra/core/memory";
import { InMemoryStore } from "@mastra/core/storage";
import { createTool } from "@mastra/core/tools";
import { createStep, createWorkflow } from "@mastra/core/workflows";
import { MastraServer } from "@mastra/hono";
import { MockLanguageModelV2, simulateReadableStream } from "ai/test";
import { Hono } from "hono";
import { z } from "zod";

const usage = { inputTokens: 10, outputTokens: 20, totalTokens: 30 };
const text = (words, id = "t1") => [
  { type: "text-start", id },
  ...words.match(/.{1,6}/gsu).map((delta) => ({ type: "text-delta", id, delta })),
  { type: "text-end", id },
];
const call = (toolCallId, toolName, input) => {
  const json = JSON.stringify(input);
  return [
    { type: "tool-input-start", id: toolCallId, toolName },
    ...json.match(/.{1,7}/gsu).map((delta) => ({ type: "tool-input-delta", id: toolCallId, delta })),
    { type: "tool-input-end", id: toolCallId },
    { type: "tool-call", toolCallId, toolName, input: json },
  ];
};
const finish = (finishReason = "stop") => ({ type: "finish", finishReason, usage });

/** A model whose answer depends on how many results of tools it has been given, so that each run is the same. */
const model = (...answers) =>
  new MockLanguageModelV2({
    doStream: async ({ prompt }) => {
      const step = prompt.filter((message) => message.role === "tool").length;
      const parts = answers[Math.min(step, answers.length - 1)];
      const start = [{ type: "stream-start", warnings: [] }, { type: "response-metadata", id: `resp-${step}`, modelId: "mock" }];
      return { stream: simulateReadableStream({ chunks: [...start, ...parts], chunkDelayInMs: 1, initialDelayInMs: 1 }) };
    },
  });

const weather = createTool({
  id: "weather",
  description: "The weather in a city",
  inputSchema: z.object({ city: z.string() }),
  execute: async ({ city }) => {
    if (city === "Atlantis") throw new Error("no such city");
    return { city, celsius: 21 };
  },
});
const wipe = createTool({
  id: "wipe", description: "Deletes a file", inputSchema: z.object({ path: z.string() }), requireApproval: true,
  execute: async ({ path }) => ({ wiped: path }),
});
const research = createTool({
  id: "research", description: "Takes long", inputSchema: z.object({ topic: z.string() }), background: { enabled: true },
  execute: async ({ topic }) => { await new Promise((done) => setTimeout(done, 60)); return { pages: topic.length }; },
});
const censor = {
  id: "censor",
  name: "censor",
  processOutputStream: async ({ part, abort }) => {
    if (part.type === "text-delta" && part.payload.text.includes("secre")) abort("a secret", { metadata: { kind: "secret" } });
    return part;
  },
};
const memory = new MockMemory();
const agent = (id, answers, more = {}) => new Agent({ id, name: id, instructions: "Answer.", model: model(...answers), ...more });
const agents = {
  plain: agent("plain", [[...text("Hello, wörld 👋\nsecond line"), finish()]]),
  thinker: agent("thinker", [[
    { type: "reasoning-start", id: "r1" }, { type: "reasoning-delta", id: "r1", delta: "Let me " },
    { type: "reasoning-delta", id: "r1", delta: "think." }, { type: "reasoning-end", id: "r1" },
    { type: "source", sourceType: "url", id: "s1", url: "https://example.org/a", title: "A" }, ...text("Thought."), finish(),
  ]]),
  tooler: agent("tooler", [
    [...text("Let me check. "), ...call("c1", "weather", { city: "Oslo" }), ...call("c2", "weather", { city: "Atlantis" }), finish("tool-calls")],
    [...text("21 degrees."), finish()],
  ], { tools: { weather } }),
  failing: agent("failing", [[...text("Half a sen"), { type: "error", error: new Error("peer reset") }, finish("error")]], { maxRetries: 0 }),
  blocked: agent("blocked", [[...text("Fine, then a secret."), finish()]], { outputProcessors: [censor] }),
  structured: agent("structured", [[...text('{"name":"John","age":30,"tags":["a","b"]}'), finish()]]),
  wiper: agent("wiper", [[...text("Working. "), ...call("c1", "wipe", { path: "/a" }), finish("tool-calls")], [...text("Gone."), finish()]], {
    tools: { wipe },
  }),
  background: agent("background", [[...call("c1", "research", { topic: "tides" }), finish("tool-calls")], [...text("Started."), finish()]], {
    tools: { research }, memory,
  }),
  long: agent("long", [[...text("cut off"), finish("length")]]),
};

const n = z.object({ n: z.number() });
const step = (id, execute, more = {}) => createStep({ id, inputSchema: n, outputSchema: n, execute, ...more });
const add = step("add", async ({ inputData }) => ({ n: inputData.n + 1 }));
const boom = step("boom", async () => { throw new Error("boom in a step"); });
const ask = step("ask", async ({ inputData, suspend, resumeData }) => (resumeData ? inputData : suspend({ question: "sure?" })), {
  suspendSchema: z.object({ question: z.string() }), resumeSchema: z.object({ yes: z.boolean() }),
});
const flow = (id, ...steps) => steps.reduce((made, one) => made.then(one), createWorkflow({ id, inputSchema: n, outputSchema: n })).commit();
const workflows = {
  good: flow("good", add),
  broken: flow("broken", add, boom),
  asking: flow("asking", add, ask),
};

const mastra = new Mastra({ agents, workflows, logger: false, storage: new InMemoryStore(), backgroundTasks: { enabled: true } });
const app = new Hono();
app.post("/own/agents/:id", async (c) => {
  const { messages, ...options } = await c.req.json();
  if (options.structuredOutput) options.structuredOutput = { schema: z.fromJSONSchema(options.structuredOutput.schema) };
  const output = await mastra.getAgentById(c.req.param("id")).stream(messages, options);
  const chunks = [];
  for await (const chunk of output.fullStream) chunks.push(chunk);
  const own = { status: output.status, error: output.error, tripwire: output.tripwire, types: chunks.map((chunk) => chunk.type) };
  const names = ["text", "reasoningText", "toolCalls", "toolResults", "usage", "finishReason", "steps", "object", "sources", "suspendPayload"];
  for (const name of names) {
    const late = new Promise((_, fail) => setTimeout(fail, 500, new Error("never")));
    own[name] = await Promise.race([output[name], late]).catch((error) => ({ rejected: String(error?.message ?? error) }));
  }
  own.streamed = { text: [], objects: [] };
  for (const chunk of chunks) {
    if (chunk.type === "text-delta") own.streamed.text.push(chunk.payload.text);
    if (chunk.type === "object") own.streamed.objects.push(chunk.object);
  }
  return c.json(own);
});
app.post("/own/workflows/:id", async (c) => {
  const run = await mastra.getWorkflow(c.req.param("id")).createRun();
  const output = run.stream(await c.req.json());
  for await (const _ of output.fullStream) { /* to its end */ }
  const result = await output.result.catch((error) => ({ rejected: String(error?.message ?? error) }));
  return c.json({ status: output.status, usage: await output.usage, result });
});
await new MastraServer({ app, mastra }).init();
const server = serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, ({ port }) => console.log(`port ${port}`));
process.stdin.resume().on("end", () => { server.close(); process.exit(0); });
