import assert from "node:assert/strict";
import { test } from "node:test";

import { UNKNOWN, base64, given, org, refused, responseFormat, upload } from "./start.mjs";

const WRONG_IDS = [UNKNOWN, "nonsense"];

test("it keeps tags", async () => {
  const tag = await org.createTag({ tag: { name: "kept", color: "#FF0000", description: "First" } });
  assert.deepEqual([tag.name, tag.color, tag.description, tag.created_by], ["kept", "#FF0000", "First", given.user]);
  assert.match(tag.created_at, /Z$/);
  assert.deepEqual(await org.getTag({ tagId: tag.id }), tag);
  const listed = await org.listTags({ nameSearch: "KEPT", limit: 1 });
  assert.deepEqual(listed, { tags: [tag], total_count: 1, skip: 0 });
  assert.ok((await org.listTags()).total_count >= 1);
  const changed = await org.updateTag({ tagId: tag.id, tag: { name: "kept too", color: "#00FF00" } });
  assert.deepEqual([changed.id, changed.name, changed.color], [tag.id, "kept too", "#00FF00"]);
  await refused(org.createTag({ tag: { name: "kept too" } }), 400, "Tag with name 'kept too' already exists");
  const documentId = await upload("tagged.txt", base64("x"), { tag_ids: [tag.id] });
  await refused(org.deleteTag({ tagId: tag.id }), 400, /assigned to one or more documents$/);
  await org.updateDocument({ documentId, tagIds: [] });
  assert.deepEqual(await org.deleteTag({ tagId: tag.id }), { message: "Tag deleted successfully" });
  for (const tagId of [tag.id, ...WRONG_IDS]) await refused(org.getTag({ tagId }), 404, "Tag not found");
});

test("it keeps versions of schemas", async () => {
  const first = await org.createSchema({ name: "Bill", response_format: responseFormat("a") });
  const second = await org.createSchema({ name: "BILL", response_format: responseFormat("a", "b") });
  assert.deepEqual([second.schema_id, first.schema_version, second.schema_version], [first.schema_id, 1, 2]);
  const listed = await org.listSchemas({ nameSearch: "bill" });
  assert.deepEqual(listed.schemas.map((row) => row.schema_revid), [second.schema_revid]);
  const found = await org.getSchema({ schemaRevId: first.schema_revid });
  assert.deepEqual(found.response_format, first.response_format);
  const { schema_id: schemaId } = first;
  const renamed = await org.updateSchema({ schemaId, schema: { name: "Receipt" } });
  assert.deepEqual([renamed.schema_revid, renamed.name], [second.schema_revid, "Receipt"]);
  const same = await org.updateSchema({ schemaId, schema: { response_format: second.response_format } });
  assert.equal(same.schema_revid, second.schema_revid);
  const third = await org.updateSchema({ schemaId, schema: { response_format: responseFormat("c") } });
  assert.equal(third.schema_version, 3);
  const versions = await org.listSchemaVersions({ schemaId });
  assert.deepEqual(versions.schemas.map((row) => row.schema_version), [3, 2, 1]);
  const check = (data) => org.validateAgainstSchema({ schemaRevId: first.schema_revid, data });
  assert.deepEqual(await check({ a: "x" }), { valid: true });
  const wrong = await check({ a: 1 });
  assert.deepEqual([wrong.valid, wrong.errors[0].path], [false, "a"]);
  assert.deepEqual(await org.deleteSchema({ schemaId }), { message: "Schema deleted successfully" });
  await refused(org.getSchema({ schemaRevId: first.schema_revid }), 404, "Schema not found");
});

test("it tells what is wrong with a schema, and what still needs it", async () => {
  const broken = { type: "json_schema", json_schema: { name: "x", schema: { type: "nonsense" } } };
  const error = await refused(org.createSchema({ name: "Broken", response_format: broken }), 422);
  assert.ok(JSON.stringify(error.details).includes("nonsense"), JSON.stringify(error.details));
  const { schema_id: schemaId } = await org.createSchema({ name: "Needed", response_format: responseFormat("a") });
  await org.createPrompt({ prompt: { name: "Needs it", content: "x", schema_id: schemaId } });
  await refused(org.deleteSchema({ schemaId }), 400, /dependent prompts:\[\{"name": ?"Needs it", ?"schema_version": ?1\}\]/);
});

test("it keeps versions of prompts", async () => {
  const tag = await org.createTag({ tag: { name: "prompted" } });
  const prompt = { name: "Read", content: "x", tag_ids: [tag.id], model: "gpt-4o-mini" };
  const first = await org.createPrompt({ prompt });
  assert.deepEqual([first.prompt_version, first.model, first.tag_ids], [1, "gpt-4o-mini", [tag.id]]);
  assert.deepEqual(await org.getPrompt({ promptRevId: first.prompt_revid }), first);
  const { prompt_id: promptId } = first;
  assert.equal((await org.updatePrompt({ promptId, prompt })).prompt_revid, first.prompt_revid);
  const second = await org.updatePrompt({ promptId, prompt: { ...prompt, content: "y" } });
  assert.deepEqual([second.prompt_version, second.content], [2, "y"]);
  const versions = await org.listPromptVersions({ promptId });
  assert.deepEqual(versions.prompts.map((row) => row.prompt_version), [2, 1]);
  const documentId = await upload("prompted.txt", base64("x"), { tag_ids: [tag.id] });
  for (const wishes of [{ tag_ids: tag.id }, { document_id: documentId }, { nameSearch: "read" }]) {
    const { prompts } = await org.listPrompts(wishes);
    assert.deepEqual(prompts.map((row) => row.prompt_revid), [second.prompt_revid], JSON.stringify(wishes));
  }
  assert.ok((await org.listPrompts()).total_count >= 1);
  assert.deepEqual(await org.deletePrompt({ promptId }), { message: "Prompt deleted successfully" });
  await refused(org.getPrompt({ promptRevId: first.prompt_revid }), 404, "Prompt not found");
});

test("it changes a part of a tag or prompt and leaves the rest", async () => {
  const { id: tagId } = await org.createTag({ tag: { name: "whole", description: "kept" } });
  const tag = await org.updateTag({ tagId, tag: { color: "#000000" } });
  assert.deepEqual([tag.name, tag.color, tag.description], ["whole", "#000000", "kept"]);
  const { prompt_id: promptId } = await org.createPrompt({ prompt: { name: "Whole", content: "x", tag_ids: [tagId] } });
  const prompt = await org.updatePrompt({ promptId, prompt: { content: "y" } });
  assert.deepEqual([prompt.name, prompt.content, prompt.tag_ids, prompt.prompt_version], ["Whole", "y", [tagId], 2]);
  const wrong = await refused(org.updatePrompt({ promptId, prompt: { content: 5, tag_ids: "x" } }), 422);
  assert.deepEqual(wrong.details.detail.map((fault) => fault.loc), [["body", "content"], ["body", "tag_ids"]]);
});

test("it finds no schema and no prompt by a wrong id", async () => {
  const prompt = { name: "x", content: "y" };
  for (const id of WRONG_IDS) {
    await refused(org.getSchema({ schemaRevId: id }), 404, "Schema not found");
    await refused(org.updateSchema({ schemaId: id, schema: { name: "x" } }), 404, "Schema not found");
    await refused(org.deleteSchema({ schemaId: id }), 404, "Schema not found");
    await refused(org.listSchemaVersions({ schemaId: id }), 404, "Schema not found");
    await refused(org.validateAgainstSchema({ schemaRevId: id, data: {} }), 404, "Schema not found");
    await refused(org.getPrompt({ promptRevId: id }), 404, "Prompt not found");
    await refused(org.updatePrompt({ promptId: id, prompt }), 404, "Prompt not found");
    await refused(org.deletePrompt({ promptId: id }), 404, "Prompt not found");
    await refused(org.listPromptVersions({ promptId: id }), 404, "Prompt not found");
  }
});
