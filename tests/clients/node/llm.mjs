import assert from "node:assert/strict";
import { test } from "node:test";

import { UNKNOWN, account, admin, base64, given, org, readInvoice, refused, responseFormat, until, upload } from "./start.mjs";

async function invoicePrompt(name) {
  const schema = await org.createSchema({ name, response_format: responseFormat("invoice_number") });
  const { schema_id, schema_version } = schema;
  return org.createPrompt({ prompt: { name, content: "Take the invoice number.", schema_id, schema_version } });
}

test("it runs a prompt, reads, corrects, saves and deletes the result", async () => {
  const documentId = await readInvoice("extracted.pdf");
  const { prompt_revid: promptRevId, prompt_id } = await invoicePrompt("Number");
  const ran = await org.runLLM({ documentId, promptRevId });
  assert.equal(ran.status, "success");
  const found = await org.getLLMResult({ documentId, promptRevId });
  assert.deepEqual([found.prompt_revid, found.prompt_id, found.prompt_version], [promptRevId, prompt_id, 1]);
  assert.deepEqual([found.document_id, found.is_edited, found.is_verified], [documentId, false, false]);
  assert.deepEqual(found.updated_llm_result, ran.result);
  const result = { invoice_number: "INV-8" };
  const changed = await org.updateLLMResult({ documentId, promptId: promptRevId, result, isVerified: true });
  assert.deepEqual(changed.updated_llm_result, result);
  assert.deepEqual([changed.is_edited, changed.is_verified], [true, true]);
  await refused(org.updateLLMResult({ documentId, promptId: promptRevId, result: { x: 1 } }), 400, /signature/);
  const again = await org.runLLM({ documentId, promptRevId, force: true });
  assert.notEqual(again.run_id, ran.run_id);
  assert.deepEqual(again.result, result);
  const saved = await org.downloadAllLLMResults({ documentId });
  const file = typeof saved === "string" ? JSON.parse(saved) : saved;
  assert.equal(file.document_name, "extracted.pdf");
  const row = file.results.find((entry) => entry.prompt_revid === promptRevId);
  assert.deepEqual(row.extraction_result, result);
  const deleted = await org.deleteLLMResult({ documentId, promptId: promptRevId });
  assert.deepEqual(deleted, { status: "success", message: "LLM result deleted" });
  await refused(org.getLLMResult({ documentId, promptRevId }), 404, /LLM result not found/);
});

test("it falls back to the newest result of the same prompt", async () => {
  const documentId = await readInvoice("fallback.pdf");
  const first = await invoicePrompt("Fallback");
  await org.runLLM({ documentId, promptRevId: first.prompt_revid });
  const prompt = { name: "Fallback", content: "Take it.", schema_id: first.schema_id };
  const second = await org.updatePrompt({ promptId: first.prompt_id, prompt });
  const wish = { documentId, promptRevId: second.prompt_revid };
  await refused(org.getLLMResult(wish), 404, /LLM result not found/);
  assert.equal((await org.getLLMResult({ ...wish, fallback: true })).prompt_revid, first.prompt_revid);
});

test("it summarizes with the default prompt after an upload", async () => {
  const documentId = await readInvoice("summary.pdf");
  const run = await org.runLLM({ documentId, promptRevId: "default" });
  assert.equal(run.status, "success");
  const found = await org.getLLMResult({ documentId, promptRevId: "default" });
  assert.deepEqual([found.prompt_revid, found.prompt_id], ["default", "default"]);
  await until(
    () => org.getDocument({ documentId, fileType: "original" }),
    ({ state }) => state === "llm_completed",
  );
});

test("it hears why a prompt cannot run", async () => {
  const documentId = await upload("stub.pdf", base64("%PDF-1.4 nobody can read this"));
  await refused(org.runLLM({ documentId, promptRevId: UNKNOWN }), 404, "Prompt not found");
  await refused(org.runLLM({ documentId: UNKNOWN, promptRevId: "default" }), 404, "Document not found");
  await refused(org.runLLM({ documentId, promptRevId: "default" }), 404, "OCR required but not run for this document");
  await refused(org.downloadAllLLMResults({ documentId }), 404);
});

test("it lists models and providers", async () => {
  const { models } = await org.listLLMModels();
  assert.ok(models.includes("offline/rules") && models.includes("gpt-4o-mini"), String(models));
  const known = await until(
    () => admin.listLLMModels({ providerName: "offline", providerEnabled: true, llmEnabled: true }),
    (found) => found.models.length > 0,
  );
  const [model] = known.chat_models;
  assert.deepEqual([model.litellm_model, model.litellm_provider], ["offline/rules", "offline"]);
  assert.equal(typeof model.input_cost_per_token, "number");
  assert.equal(known.models.length, known.chat_models.length);
  assert.ok((await admin.listLLMModels({})).models.length >= 1);
  const { providers } = await admin.listLLMProviders();
  assert.ok(providers.some((provider) => provider.name === "offline" && provider.enabled));
});

test("it chooses a provider's models, and stores and removes its key", async () => {
  const found = async (name) => (await admin.listLLMProviders()).providers.find((provider) => provider.name === name);
  const { litellm_models_enabled } = await found("offline");
  const wanted = { litellm_models_enabled, enabled: true, token: null };
  const answer = { message: "LLM provider config updated successfully" };
  assert.deepEqual(await admin.setLLMProviderConfig("offline", wanted), answer);
  assert.deepEqual(await admin.setLLMProviderConfig("mistral", { token: "a-key-of-the-client" }), answer);
  const keyed = await found("mistral");
  assert.deepEqual([keyed.token, keyed.enabled], ["********ient", true]);
  assert.match(keyed.token_created_at, /Z$/);
  assert.deepEqual(await admin.setLLMProviderConfig("mistral", { token: "" }), answer);
  assert.deepEqual([(await found("mistral")).token, (await found("mistral")).token_created_at], [null, null]);
  await refused(admin.setLLMProviderConfig("offline", { ...wanted, token: "sk-1" }), 400, "Built-in rules needs no key.");
  await refused(admin.setLLMProviderConfig("nobody", wanted), 404, "Provider not found");
});

const CHAT = { model: "offline/rules", messages: [{ role: "user", content: "Hello" }] };

async function streamed(client, request) {
  const chunks = [];
  await client.runLLMChatStream(request, (chunk) => chunks.push(chunk), (error) => chunks.push(error.message));
  return chunks;
}

test("it asks a model without a document, whole and in a stream", async () => {
  for (const client of [org, admin]) {
    const whole = await client.runLLMChat(CHAT);
    assert.deepEqual([whole.object, whole.model, whole.choices[0].index], ["chat.completion", "offline/rules", 0]);
    const { role, content } = whole.choices[0].message;
    assert.ok(role === "assistant" && content.length > 0, content);
    assert.equal(whole.usage.total_tokens, whole.usage.prompt_tokens + whole.usage.completion_tokens);
    const chunks = await streamed(client, { ...CHAT, temperature: 0, max_tokens: 500 });
    assert.deepEqual(chunks.at(-1), { chunk: "", done: true });
    assert.ok(chunks.slice(0, -1).every((chunk) => chunk.done === false));
    assert.equal(chunks.map((chunk) => chunk.chunk).join(""), content);
  }
});

test("it hears why a model cannot be asked", async () => {
  const unknown = { ...CHAT, model: "no-such-model" };
  const stranger = account(given.other_account_token);
  for (const client of [org, admin]) {
    await refused(client.runLLMChat(unknown), 400, /no-such-model is not known here/);
    await refused(client.runLLMChat({ ...CHAT, messages: [] }), 422);
    assert.deepEqual(await streamed(client, unknown), ["HTTP error! status: 400"]);
  }
  await refused(stranger.runLLMChat(CHAT), 403, "Admin access required");
  assert.deepEqual(await streamed(stranger, CHAT), ["HTTP error! status: 403"]);
  const embedding = { model: "offline/rules", input: "Hello" };
  await refused(admin.getHttpClient().post("/v0/account/llm/test/embedding", embedding), 400, /makes no embeddings/);
});

test("it gives a call up when the client goes away", async () => {
  const leaving = new AbortController();
  const errors = [];
  const asked = org.runLLMChatStream(CHAT, () => leaving.abort(), (error) => errors.push(error.name), leaving.signal);
  await asked;
  assert.ok(errors.length === 0 || errors[0] === "AbortError", String(errors));
  assert.equal((await org.runLLMChat(CHAT)).object, "chat.completion");
});
