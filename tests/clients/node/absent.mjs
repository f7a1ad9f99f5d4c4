// Parts of the contract that this product does not offer: each method hears a plain 404, never an error of the server.

import assert from "node:assert/strict";
import { test } from "node:test";

import { UNKNOWN, admin, given, org, refused } from "./start.mjs";

const ORG = given.organization;
const FORM = { documentId: UNKNOWN, formRevId: UNKNOWN };
const PURCHASE = { credits: 5, success_url: "https://a.example", cancel_url: "https://a.example" };
const RANGE = { start_date: "2026-01-01", end_date: "2026-02-01" };

async function absent(...calls) {
  for (const call of calls) await refused(call(), 404, "Not Found");
}

test("it answers 404 for forms", () =>
  absent(
    () => org.createForm({ name: "F", response_format: { json_formio: [] } }),
    () => org.listForms(),
    () => org.getForm({ formRevId: UNKNOWN }),
    () => org.updateForm({ formId: UNKNOWN, form: { name: "G" } }),
    () => org.deleteForm({ formId: UNKNOWN }),
    () => org.listFormVersions({ formId: UNKNOWN }),
    () => org.submitForm({ ...FORM, submission_data: {} }),
    () => org.getFormSubmission(FORM),
    () => org.deleteFormSubmission(FORM),
  ));

const payments = (client, ...at) => [
  () => client.getCustomerPortal(...at),
  () => client.getSubscription(...at),
  () => client.activateSubscription(...at),
  () => client.cancelSubscription(...at),
  () => client.getCurrentUsage(...at),
  () => client.addCredits(...at, 5),
  () => client.getCreditConfig(...at),
  () => client.purchaseCredits(...at, PURCHASE),
  () => client.getUsageRange(...at, RANGE),
  () => client.createCheckoutSession(...at, "plan"),
];

test("it answers 404 for payments", () => absent(...payments(org), ...payments(admin, ORG)));

test("it answers 404 for keys of a cloud", () =>
  absent(
    () => admin.createAWSConfig({ access_key_id: "a", secret_access_key: "b", s3_bucket_name: "c" }),
    () => admin.getAWSConfig(),
    () => admin.deleteAWSConfig(),
  ));

test("it answers 404 for knowledge bases and webhooks, which this client has no methods for", () =>
  absent(
    () => org.getHttpClient().get(`/v0/orgs/${ORG}/knowledge-bases`),
    () => admin.getHttpClient().get(`/v0/orgs/${ORG}/webhooks`),
  ));
