import assert from "node:assert/strict";
import { test } from "node:test";

import { UNKNOWN, account, admin, given, org, organization, refused } from "./start.mjs";

test("it makes, finds, changes and deletes an organization", async () => {
  const made = await admin.createOrganization({ name: "Node and sons", type: "team" });
  assert.deepEqual([made.name, made.type, made.members[0].role], ["Node and sons", "team", "admin"]);
  assert.match(made.created_at, /Z$/);
  const found = await admin.getOrganization(made.id);
  assert.deepEqual([found.id, found.name], [made.id, "Node and sons"]);
  const listed = await admin.listOrganizations({ nameSearch: "NODE AND", memberSearch: "", skip: 0, limit: 5 });
  assert.deepEqual([listed.organizations.map((row) => row.id), listed.total_count, listed.skip], [[made.id], 1, 0]);
  assert.ok((await admin.listOrganizations({ userId: given.user })).total_count >= 2);
  assert.ok((await admin.listOrganizations()).organizations.some((row) => row.id === given.organization));
  const changed = await admin.updateOrganization(made.id, { name: "Node and daughters" });
  assert.deepEqual([changed.name, changed.type], ["Node and daughters", "team"]);
  await refused(admin.createOrganization({ name: "node AND daughters" }), 400);
  assert.deepEqual(await admin.deleteOrganization(made.id), { status: "success" });
  await refused(admin.getOrganization(made.id), 404, "Organization not found");
});

test("it takes people into an organization and out again", async () => {
  const person = await admin.createUser({ email: "jo@node.example", name: "Jo", password: "correct horse 7" });
  const made = await admin.createOrganization({ name: "People", type: "team" });
  const members = [{ user_id: given.user, role: "admin" }, { user_id: person.id, role: "user" }];
  const changed = await admin.updateOrganization(made.id, { members });
  assert.deepEqual(changed.members.map(({ user_id, role }) => ({ user_id, role })), members);
  const { users, total_count } = await admin.listUsers({ organization_id: made.id });
  assert.deepEqual([new Set(users.map((row) => row.id)), total_count], [new Set([given.user, person.id]), 2]);
  const own = members.slice(1).map((member) => ({ ...member, role: "user" }));
  await refused(admin.updateOrganization(made.id, { members: own }), 400, /admin/);
  await admin.updateOrganization(made.id, { members: members.slice(0, 1) });
  assert.equal((await admin.listUsers({ organization_id: made.id })).total_count, 1);
});

test("it makes, finds, changes and deletes a person", async () => {
  const wanted = { email: "kim@node.example", name: "Kim", password: "correct horse 7" };
  const made = await admin.createUser(wanted);
  assert.deepEqual([made.email, made.name, made.role, made.has_password], [wanted.email, "Kim", "user", true]);
  await refused(admin.createUser(wanted), 400, "Email already registered");
  assert.equal((await admin.getUser(made.id)).email, wanted.email);
  assert.deepEqual((await admin.listUsers({ search_name: "kim", limit: 5 })).users.map((row) => row.id), [made.id]);
  assert.equal((await admin.listUsers({ skip: 1, limit: 1 })).skip, 1);
  const changed = await admin.updateUser(made.id, { name: "Kimberly", email_verified: true, has_seen_tour: true });
  assert.deepEqual([changed.name, changed.email_verified, changed.has_seen_tour], ["Kimberly", true, true]);
  await admin.deleteUser(made.id);
  await refused(admin.getUser(made.id), 404, "User not found");
  await refused(admin.deleteUser(UNKNOWN), 404, "User not found");
  const short = await refused(admin.createUser({ email: "kim@node.example", name: "x" }), 422);
  assert.deepEqual(short.details.detail.map((fault) => fault.loc), [["body", "password"]]);
  await refused(admin.createUser({ ...wanted, email: "no address" }), 400, /address/);
});

test("it makes, lists and revokes account tokens", async () => {
  const made = await admin.createAccountToken({ name: "Nightly", lifetime: 30 });
  assert.match(made.token, /^acc_.{43}$/);
  assert.deepEqual([made.organization_id, made.lifetime, made.user_id], [null, 30, given.user]);
  const listed = (await admin.getAccountTokens()).find((row) => row.id === made.id);
  assert.equal(listed.token, made.token.slice(0, 10));
  const other = account(made.token);
  assert.ok((await other.listOrganizations()).total_count >= 1);
  await admin.deleteAccountToken(made.id);
  await refused(other.listOrganizations(), 401, "Invalid authentication credentials: invalid token");
  await refused(admin.deleteAccountToken(made.id), 404, "Token not found");
});

test("it makes, lists and revokes an organization's tokens", async () => {
  const made = await admin.createOrganizationToken({ name: "Door", lifetime: 0 }, given.organization);
  assert.match(made.token, /^org_.{43}$/);
  assert.equal(made.organization_id, given.organization);
  const ids = async () => (await admin.getOrganizationTokens(given.organization)).map((row) => row.id);
  assert.ok((await ids()).includes(made.id));
  assert.ok((await organization(made.token).listTags()).total_count >= 0);
  await admin.deleteOrganizationToken(made.id, given.organization);
  assert.ok(!(await ids()).includes(made.id));
  await refused(organization(made.token).listTags(), 401, "Invalid authentication credentials: invalid token");
  await refused(admin.createOrganizationToken({ name: "Bad", lifetime: -1 }, given.organization), 422);
});

test("it tells which organization a token opens", async () => {
  const opened = await admin.getOrganizationFromToken(given.token);
  assert.deepEqual([opened.organization_id, opened.organization_type], [given.organization, "team"]);
  const nulls = { organization_id: null, organization_name: null, organization_type: null };
  assert.deepEqual(await admin.getOrganizationFromToken(given.account_token), nulls);
  await refused(admin.getOrganizationFromToken("org_wrong"), 401, "Invalid token");
  assert.equal(org.organizationId, given.organization);
});
