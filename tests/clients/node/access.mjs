import assert from "node:assert/strict";
import { test } from "node:test";

import { DocRouterOrg } from "@docrouter/sdk";

import { account, base64, given, org, organization, plain, refused, upload } from "./start.mjs";

const WRONG = "Invalid authentication credentials: invalid token";

test("it opens one's own organization only", async () => {
  await refused(organization(given.token, given.other_organization).listDocuments(), 401, WRONG);
  const asAccount = organization(given.account_token);
  assert.ok((await asAccount.listTags()).total_count >= 0);
  const stranger = organization(given.other_account_token);
  await refused(stranger.listDocuments(), 403, "You are not a member of this organization");
  const documentId = await upload("private.txt", base64("secret"));
  const elsewhere = organization(given.other_account_token, given.other_organization);
  await refused(elsewhere.getDocument({ documentId, fileType: "original" }), 404, "Document not found");
  await refused(elsewhere.getOCRText({ documentId }), 404, "Document not found");
});

test("it keeps what system admins do from others", async () => {
  const other = account(given.other_account_token);
  const person = { email: "x@node.example", name: "X", password: "correct horse 7" };
  for (const call of [
    () => other.createUser(person),
    () => other.listLLMProviders(),
    () => other.setLLMProviderConfig("offline", { enabled: true }),
    () => other.updateUser(given.user, { name: "x" }),
    () => other.deleteUser(given.user),
    () => other.updateOrganization(given.organization, { name: "x" }),
    () => other.deleteOrganization(given.organization),
    () => other.listUsers({ organization_id: given.organization }),
    () => other.listOrganizations({ userId: given.user }),
  ]) await refused(call(), 403);
  await refused(other.getOrganization(given.organization), 404, "Organization not found");
  await refused(account(given.token).listOrganizations(), 401, WRONG);
});

test("it asks once more after a 401, with the token that is right by then", async () => {
  const tokens = ["org_over"];
  const client = plain({ tokenProvider: async () => tokens.shift() ?? given.token });
  const made = await client.post(`/v0/orgs/${given.organization}/tags`, { name: "twice asked" });
  assert.equal(made.name, "twice asked");
  assert.equal((await org.listTags({ nameSearch: "twice asked" })).total_count, 1);
});

test("it runs with the client's own defaults", async () => {
  const client = new DocRouterOrg({ baseURL: given.url, orgToken: given.token, organizationId: given.organization });
  assert.equal(client.getHttpClient().axios.defaults.timeout, 30_000);
  assert.ok(given.run_wait_seconds < 30, "A run answers before the client gives up");
});

test("it gives up after the second 401, and goes on with a new token", async () => {
  const client = new DocRouterOrg({ baseURL: given.url, orgToken: "org_wrong", organizationId: given.organization });
  await refused(client.listTags(), 401, WRONG);
  await refused(client.createTag({ tag: { name: "never" } }), 401, WRONG);
  client.updateToken(given.token);
  assert.equal((await client.listTags({ nameSearch: "never" })).total_count, 0);
  await refused(plain({}).get(`/v0/orgs/${given.organization}/tags`), 401, "No authentication credentials provided");
  for (const noted of [organization("org_wrong"), account("acc_wrong")]) noted.updateToken(given.account_token);
});

test("it answers what no client should send in words that the client shows", async () => {
  const error = await refused(org.listTags({ limit: 1000 }), 422);
  assert.deepEqual(error.details.detail[0].loc, ["query", "limit"]);
  const http = org.getHttpClient();
  await refused(http.get("/v0/nowhere"), 404, "Not Found");
  await refused(http.request({ method: "PATCH", url: `/v0/orgs/${given.organization}/tags` }), 405, "Method Not Allowed");
  const moved = await http.get(`/v0/orgs/${given.organization}/tags/`);
  assert.ok(Array.isArray(moved.tags));
  await refused(http.get("/v0/orgs"), 404, "Not Found");
});
