// The published client has no methods of its own for the agent: its HTTP client and its reader of streams are used.

import assert from "node:assert/strict";
import { test } from "node:test";

import { UNKNOWN, given, org, organization, readInvoice, refused, until } from "./start.mjs";

const http = org.getHttpClient();
const SETUP = { messages: [{ role: "user", content: "Set up extraction for this document" }] };
const at = (documentId) => `/v0/orgs/${given.organization}/documents/${documentId}/chat`;

/** The events of a stream, as the client's own reader finds them. */
async function streamed(path, body) {
  const events = [];
  await http.stream(path, { ...body, stream: true }, (event) => events.push(event), (error) => events.push(error.message));
  return events;
}

/** The result when the turn stands still, also when the answer came before that. */
const settled = (documentId, result) =>
  until(
    () => http.get(`${at(documentId)}/turns/${result.turn.id}`),
    ({ turn, tool_calls }) => !["queued", "running"].includes(turn.status) && (!tool_calls || tool_calls.length > 0),
  );

const all = (result, approved) => ({
  turn_id: result.turn_id,
  approvals: result.tool_calls.map((call) => ({ call_id: call.id, approved })),
});

test("it sets an extraction up with the agent, approving what it asks", async () => {
  const documentId = await readInvoice("agent.pdf");
  let result = await settled(documentId, await http.post(at(documentId), SETUP));
  const asked = [];
  while (result.turn_id) {
    assert.ok(result.tool_calls.length > 0, JSON.stringify(result));
    for (const call of result.tool_calls) assert.equal(typeof JSON.parse(call.arguments), "object");
    asked.push(...result.tool_calls.map((call) => call.name));
    const approved = { ...all(result, true), thread_id: result.thread_id };
    result = await settled(documentId, await http.post(`${at(documentId)}/approve`, approved));
  }
  assert.deepEqual(asked, ["create_schema", "create_prompt", "run_extraction"]);
  assert.ok(result.text.length > 0 && result.executed_rounds.length >= 3);
  const { schema_revid, prompt_revid, extraction } = result.working_state;
  assert.equal((await org.getSchema({ schemaRevId: schema_revid })).schema_revid, schema_revid);
  assert.deepEqual((await org.getLLMResult({ documentId, promptRevId: prompt_revid })).llm_result, extraction);
  const thread = await http.get(`${at(documentId)}/threads/${result.thread_id}`);
  assert.deepEqual(thread.messages.map(({ role }) => role), ["user", "assistant", "assistant", "assistant", "assistant"]);
  assert.deepEqual(thread.extraction, extraction);
});

test("it reads the agent's events with the client's own reader", async () => {
  const documentId = await readInvoice("streamed.pdf");
  const events = await streamed(at(documentId), SETUP);
  assert.equal(typeof events[0], "object", JSON.stringify(events));
  const words = events.filter(({ type }) => type === "assistant_text_chunk").map(({ chunk }) => chunk);
  const { type, result } = events.at(-1);
  assert.deepEqual([type, events.at(-2).type, events.at(-2).pending], ["done", "tool_calls", true]);
  assert.ok(words.join("").endsWith(result.text), words.join(""));
  assert.deepEqual(events.at(-2).tool_calls, result.tool_calls);
  const after = await streamed(`${at(documentId)}/approve`, all(result, false));
  assert.deepEqual([after[0].type, after[0].success, after.at(-1).type], ["tool_result", false, "done"]);
  assert.equal(after.at(-1).result.turn_id, undefined);
  const failed = await streamed(at(documentId), { messages: [] });
  assert.deepEqual(failed, ["HTTP error! status: 400"]);
});

test("it lists tools and threads, and hears plain refusals", async () => {
  const documentId = await readInvoice("threads.pdf");
  const tools = await http.get(`${at(documentId)}/tools`);
  assert.ok(tools.read_only.length >= 14 && tools.read_write.length >= 13, JSON.stringify(tools));
  const { thread_id } = await http.post(`${at(documentId)}/threads`, {});
  const [thread] = await http.get(`${at(documentId)}/threads`, { params: { limit: 5 } });
  assert.deepEqual([thread.id, thread.title], [thread_id, "New chat"]);
  assert.deepEqual(await http.delete(`${at(documentId)}/threads/${thread_id}`), { ok: true });
  await refused(http.get(`${at(documentId)}/threads/${thread_id}`), 404, "Thread not found");
  await refused(http.post(at(UNKNOWN), SETUP), 404, "Document not found");
  const gone = { turn_id: UNKNOWN, approvals: [] };
  await refused(http.post(`${at(documentId)}/approve`, gone), 400, "Turn expired or not found");
  await refused(http.post(at(documentId), { ...SETUP, auto_approve: true }), 400, "auto_approve requires stream: true");
  const elsewhere = organization(given.other_account_token, given.other_organization).getHttpClient();
  const path = at(documentId).replace(given.organization, given.other_organization);
  await refused(elsewhere.post(path, SETUP), 404, "Document not found");
  await refused(elsewhere.get(at(documentId) + "/threads"), 403, "You are not a member of this organization");
});
