// What every file starts from: the clients of a running product, and the words for what is expected of them.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

import { DocRouterAccount, DocRouterOrg, HttpClient } from "@docrouter/sdk";

export const given = JSON.parse(process.env.DOCROUTER_GIVEN);
export const UNKNOWN = "0123456789abcdef01234567";
const CALLED = new Set();

/** The client with its defaults, noting which of its methods were called. */
function noting(client) {
  return new Proxy(client, {
    get(target, name) {
      const found = target[name];
      if (typeof found !== "function") return found;
      CALLED.add(`${target.constructor.name}.${name}`);
      return found.bind(target);
    },
  });
}

export const organization = (token = given.token, id = given.organization) =>
  noting(new DocRouterOrg({ baseURL: given.url, orgToken: token, organizationId: id }));
export const account = (token = given.account_token) =>
  noting(new DocRouterAccount({ baseURL: given.url, accountToken: token }));
export const plain = (config) => new HttpClient({ baseURL: given.url, ...config });

export const org = organization();
export const admin = account();

export const methodsNeverCalled = () =>
  [DocRouterOrg, DocRouterAccount].flatMap((kind) =>
    Object.getOwnPropertyNames(kind.prototype)
      .filter((name) => name !== "constructor" && !CALLED.has(`${kind.name}.${name}`))
      .map((name) => `${kind.name}.${name}`),
  );

export const base64 = (text) => Buffer.from(text).toString("base64");
export const invoice = readFileSync(new URL("../../data/gen_invoice_101.pdf", import.meta.url));

export async function refused(call, status, message) {
  const error = await call.then(
    (value) => assert.fail(`It was answered: ${JSON.stringify(value)}`),
    (reason) => reason,
  );
  assert.equal(error.status, status, error.message);
  if (message instanceof RegExp) assert.match(error.message, message);
  else if (message) assert.equal(error.message, message);
  return error;
}

/** Asks until what is asked for has come. */
export async function until(ask, holds, seconds = 40) {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const found = await ask();
    if (holds(found)) return found;
    if (Date.now() > end) assert.fail(`Not within ${seconds} s: ${JSON.stringify(found)}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

export async function upload(name, content, more = {}) {
  const { documents } = await org.uploadDocuments({ documents: [{ name, content, ...more }] });
  return documents[0].document_id;
}

const READ = new Set(["ocr_completed", "llm_processing", "llm_completed", "llm_failed"]);

/** An invoice that the product's own workers have read. */
export async function readInvoice(name = "invoice.pdf", more = {}) {
  const documentId = await upload(name, invoice.toString("base64"), more);
  await until(
    () => org.getDocument({ documentId, fileType: "original" }),
    (found) => READ.has(found.state),
  );
  return documentId;
}

export function responseFormat(...names) {
  const properties = Object.fromEntries(names.map((name) => [name, { type: "string", description: `The ${name}` }]));
  const schema = { type: "object", properties, required: names, additionalProperties: false };
  return { type: "json_schema", json_schema: { name: "document", schema, strict: true } };
}
