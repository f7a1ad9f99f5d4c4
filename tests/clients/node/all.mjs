// `node --test-reporter=spec all.mjs` with DOCROUTER_GIVEN set; tests/clients/test_node_client.py does it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { methodsNeverCalled } from "./start.mjs";
import "./documents.mjs";
import "./definitions.mjs";
import "./llm.mjs";
import "./account.mjs";
import "./mail.mjs";
import "./access.mjs";
import "./agent.mjs";
import "./absent.mjs";

test("it has called every method of the client", () => {
  assert.deepEqual(methodsNeverCalled(), []);
});
