// Invitations and what else goes by mail, on a product without a mail server: links are handed over.

import assert from "node:assert/strict";
import { test } from "node:test";

import { UNKNOWN, account, admin, given, refused } from "./start.mjs";

const PERSON = { name: "Vera", password: "seven geese walk to Cuxhaven" };

test("it invites somebody, who makes an account with the link", async () => {
  const wanted = { email: "vera@node.example", organization_id: given.organization, role: "user" };
  const made = await admin.createInvitation(wanted);
  assert.deepEqual([made.email, made.organization_id, made.role], [wanted.email, given.organization, "user"]);
  const listed = await admin.getInvitations({ skip: 0, limit: 5 });
  assert.deepEqual([listed.total_count, listed.skip, listed.invitations[0].id], [1, 0, made.id]);
  const token = made.link.split("/").at(-1);
  assert.equal((await admin.getInvitation(token)).organization_name, "Ada and company");
  await refused(admin.acceptInvitation(token, { name: "Vera", password: "short" }), 400, /too short/);
  assert.match((await admin.acceptInvitation(token, PERSON)).message, /accepted/);
  await refused(admin.acceptInvitation(token, PERSON), 404, /not there any more/);
  const people = await admin.listUsers({ organization_id: given.organization });
  assert.ok(people.users.some((user) => user.email === wanted.email));
});

test("it lets nobody invite into another's organization", async () => {
  const wanted = { email: "a@node.example", organization_id: given.organization, role: "user" };
  await refused(account(given.other_account_token).createInvitation(wanted), 403);
  assert.deepEqual((await account(given.other_account_token).getInvitations()).invitations, []);
  await refused(admin.getInvitation("token"), 404);
});

test("it says that no mail is sent from here", async () => {
  await refused(admin.sendVerificationEmail(given.user), 400, /EMAIL_URL/);
  await refused(admin.sendRegistrationVerificationEmail(given.user), 400, /EMAIL_URL/);
  await refused(admin.sendVerificationEmail(UNKNOWN), 404);
  await refused(admin.verifyEmail("token"), 404, /too old/);
});
