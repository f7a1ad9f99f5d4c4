import assert from "node:assert/strict";
import { test } from "node:test";

import { UNKNOWN, base64, invoice, org, readInvoice, refused, upload } from "./start.mjs";

const STUB = "%PDF-1.4 a stub that no parser can read";
const text = (content) => Buffer.from(content).toString();
const get = (documentId, fileType = "original") => org.getDocument({ documentId, fileType });

test("it uploads plain and data-URL content, and downloads the same bytes", async () => {
  const { documents } = await org.uploadDocuments({
    documents: [
      { name: "stub.pdf", content: base64(STUB), metadata: { "a,b": "c=d/é" } },
      { name: "scan.pdf", content: `data:application/pdf;base64,${invoice.toString("base64")}` },
    ],
  });
  assert.deepEqual(documents.map((row) => row.document_name), ["stub.pdf", "scan.pdf"]);
  const [stub, scan] = await Promise.all(documents.map((row) => get(row.document_id)));
  assert.equal(text(stub.content), STUB);
  assert.ok(Buffer.from(scan.content).equals(invoice));
  assert.deepEqual(stub.metadata, { "a,b": "c=d/é" });
  assert.deepEqual([stub.type, stub.pdf_id, stub.uploaded_by], ["application/pdf", stub.id, "Node"]);
  assert.match(stub.upload_date, /Z$/);
  assert.equal(text((await get(stub.id, "pdf")).content), STUB);
});

test("it gives pictures and texts as PDF too", async () => {
  const documentId = await upload("note.txt", base64("Total 12.50"));
  const made = await get(documentId, "pdf");
  assert.equal(made.type, "application/pdf");
  assert.match(Buffer.from(made.content, "base64").toString("latin1"), /^%PDF-1\.\d/);
  assert.equal(text((await get(documentId)).content), "Total 12.50");
  await refused(get(await upload("letter.docx", base64("PK\u0003\u0004")), "pdf"), 404, "File not found");
});

test("it lists by name, tag and metadata, page by page", async () => {
  const tag = await org.createTag({ tag: { name: "listed", color: "#00FF00" } });
  const metadata = { batch: "seven" };
  const documents = ["a.txt", "b.txt", "c.txt"].map((name) => ({ name: `listed ${name}`, content: base64(name), metadata }));
  documents[0].tag_ids = [tag.id];
  await org.uploadDocuments({ documents });
  const names = async (wishes) => (await org.listDocuments(wishes)).documents.map((row) => row.document_name);
  assert.deepEqual(await names({ nameSearch: "LISTED" }), ["listed c.txt", "listed b.txt", "listed a.txt"]);
  assert.deepEqual(await names({ nameSearch: "listed", skip: 1, limit: 1 }), ["listed b.txt"]);
  assert.deepEqual(await names({ tagIds: tag.id }), ["listed a.txt"]);
  const byMetadata = await org.listDocuments({ metadataSearch: "batch=seven", limit: 1 });
  assert.deepEqual([byMetadata.total_count, byMetadata.skip, byMetadata.documents.length], [3, 0, 1]);
  assert.ok((await org.listDocuments()).documents.length <= 10);
});

test("it changes and deletes a document", async () => {
  const documentId = await upload("old.txt", base64("x"));
  const changes = { documentName: "new.txt", tagIds: [], metadata: { k: "v" } };
  assert.deepEqual(await org.updateDocument({ documentId, ...changes }), { message: "Document updated successfully" });
  const found = await get(documentId);
  assert.deepEqual([found.document_name, found.tag_ids, found.metadata], ["new.txt", [], { k: "v" }]);
  assert.deepEqual(await org.updateDocument({ documentId }), { message: "No updates provided" });
  assert.deepEqual(await org.deleteDocument({ documentId }), { message: "Document deleted successfully" });
  await refused(get(documentId), 404, "Document not found");
});

test("it says why an upload is refused", async () => {
  const send = (document) => org.uploadDocuments({ documents: [document] });
  await refused(send({ name: "a.exe", content: base64("x") }), 400, /Unsupported file extension \.exe/);
  await refused(send({ name: "a.pdf", content: "***" }), 400, /Invalid base64 content/);
  await refused(send({ name: "a.pdf", content: base64("x"), tag_ids: [UNKNOWN] }), 400, /Invalid tag IDs/);
});

test("it stores the good files of a batch, and names the others", async () => {
  const wanted = ["good.txt", "bad.exe"].map((name) => ({ name, content: base64("x") }));
  const { documents, errors } = await org.uploadDocuments({ documents: wanted });
  assert.deepEqual(documents.map((row) => row.document_name), ["good.txt"]);
  assert.deepEqual(errors.map((row) => row.name), ["bad.exe"]);
});

test("it downloads what was read", async () => {
  const documentId = await readInvoice("read.pdf");
  const blocks = await org.getOCRBlocks({ documentId });
  assert.deepEqual(new Set(blocks.map((block) => block.BlockType)), new Set(["PAGE", "LINE", "WORD"]));
  const word = blocks.find((block) => block.BlockType === "WORD");
  assert.deepEqual(Object.keys(word.Geometry.BoundingBox).sort(), ["Height", "Left", "Top", "Width"]);
  assert.equal(word.Geometry.Polygon.length, 4);
  assert.deepEqual([word.Page, typeof word.Text, typeof word.Confidence], [1, "string", "number"]);
  const whole = await org.getOCRText({ documentId });
  assert.match(whole, /invoice/i);
  assert.ok(whole.startsWith(await org.getOCRText({ documentId, pageNum: 1 })));
  assert.equal((await org.getOCRMetadata({ documentId })).n_pages, 1);
  await refused(org.getOCRText({ documentId, pageNum: 9 }), 404, "OCR text not found");
});

test("it finds no document by a wrong id", async () => {
  for (const documentId of [UNKNOWN, "nonsense"]) {
    const methods = ["deleteDocument", "updateDocument", "getOCRBlocks", "getOCRText", "getOCRMetadata"];
    for (const method of methods) await refused(org[method]({ documentId, documentName: "x" }), 404, "Document not found");
    await refused(get(documentId), 404, "Document not found");
  }
});
