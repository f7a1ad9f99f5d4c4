from __future__ import annotations

from collections.abc import Callable

import pytest

from accounts.actor import Actor
from accounts.models import Role
from agent.calls import execution
from agent.models import Thread, ToolCall
from agent.toolkit.registry import registry
from documents.definitions import prompts, schemas, tags
from documents.definitions.schema_templates.catalogue import list_templates
from documents.models import Document, Extraction, Schema, SchemaRevision
from kit.errors import Conflict, Invalid
from tests.agent.decision_rows import say
from tests.agent.tool_rows import FORMAT, another_document, change_format, undo

Do = Callable[..., ToolCall]
IBAN = {"type": ["string", "null"], "description": "Account to pay to."}
WIDER = change_format(iban=IBAN)
CAPITAL = {"kind": "pattern", "field": "vendor", "pattern": "^[A-Z]"}


@pytest.fixture
def schema(actor: Actor) -> SchemaRevision:
    return schemas.create(actor, name="Invoice", response_format=FORMAT)


def carry_out(actor: Actor, card: ToolCall) -> ToolCall:
    say(actor, card)
    execution.execute(card.pk, holder="test")
    card.refresh_from_db()
    return card


def test_it_reads_a_schema_and_says_what_uses_it(actor: Actor, schema: SchemaRevision, do: Do) -> None:
    prompt = prompts.create(actor, name="Invoice", content="Read.", schema_revision=schema)
    newer = schemas.save_version(actor, schema=schema.schema, response_format=WIDER)
    result = do("get_schema", schema_revid=schema.pk).result
    assert (result["schema_version"], result["latest_schema_revid"]) == (1, newer.pk)
    assert result["response_format"] == FORMAT
    assert result["used_by"] == [{"prompt_id": prompt.prompt_id, "name": "Invoice", "schema_version": 1}]
    assert do("get_schema", schema_revid=schema.schema_id).result["schema_revid"] == newer.pk


def test_it_lists_schemas_with_their_fields(actor: Actor, schema: SchemaRevision, do: Do) -> None:
    schemas.create(actor, name="50% offers", response_format=FORMAT)
    (offers,) = do("list_schemas", name_search="%").result["schemas"]
    assert offers["name"] == "50% offers" and offers["fields"] == ["vendor", "due_date", "line_items"]
    by_name = do("list_schemas", sort=[{"field": "name", "sort": "desc"}]).result["schemas"]
    assert [row["name"] for row in by_name] == ["Invoice", "50% offers"]
    only = {"items": [{"field": "name", "operator": "equals", "value": "Invoice"}]}
    assert do("list_schemas", filters=only).result["total_count"] == 1
    assert do("list_schemas", filters="{").result["error"].startswith("These arguments do not fit.")


def test_it_checks_data_against_a_schema(schema: SchemaRevision, do: Do) -> None:
    good = {"vendor": "Ostrava Tools", "due_date": "2026-01-31", "line_items": []}
    assert do("validate_against_schema", schema_revid=schema.pk, data=good).result == {"valid": True, "errors": []}
    wrong = {"vendor": 5, "line_items": [{"amount": "two"}]}
    result = do("validate_against_schema", schema_revid=schema.pk, data=wrong).result
    assert not result["valid"]
    assert {error["path"] for error in result["errors"]} == {"vendor", "line_items.0.amount"}
    assert all(error["message"] for error in result["errors"])


def test_it_shows_each_changed_field_before_it_saves_a_version(actor: Actor, schema: SchemaRevision, do: Do) -> None:
    prompts.create(actor, name="Reader", content="Read.", schema_revision=schema)
    changed = change_format(iban=IBAN, due_date=None, vendor={"type": "string", "description": "Who is paid."})
    card = do("update_schema", schema_id=schema.pk, response_format=changed, approve=False)
    assert card.effective["schema_id"] == schema.schema_id
    preview = card.preview
    assert {"kind": "add", "name": "iban", "words": "added, text, or empty, not required"} in preview["field_changes"]
    assert {"kind": "cut", "name": "due_date", "words": "removed"} in preview["field_changes"]
    assert any(row["kind"] == "mod" and "Who is paid." in row["words"] for row in preview["field_changes"])
    assert preview["warnings"] == ["Removes “due_date”: extractions with the new version have no value there."]
    assert preview["used_by"] == ["prompt “Reader”, version 1"] and preview["subtitle"] == "version 1 → 2"

    done = carry_out(actor, card)
    revision = Schema.objects.get().latest
    assert revision and (revision.number, done.result["schema_revid"]) == (2, revision.pk)
    assert [row["name"] for row in done.result["prompts_on_older_versions"]] == ["Reader"]
    assert Thread.objects.get().working_state["schema_revid"] == revision.pk


def test_it_takes_a_version_and_a_name_back(actor: Actor, schema: SchemaRevision, do: Do) -> None:
    call = do("update_schema", schema_id=schema.schema_id, name="Bill", response_format=WIDER)
    assert call.preview["changes"] == [{"name": "Name", "old": "Invoice", "new": "Bill"}]
    assert (Schema.objects.get().name, Schema.objects.get().latest.number) == ("Bill", 2)  # type: ignore[union-attr]
    undo(call)
    back = Schema.objects.get()
    assert back.name == "Invoice" and back.latest
    assert (back.latest.number, back.latest.response_format) == (3, FORMAT)


def test_it_renames_alone(actor: Actor, schema: SchemaRevision, do: Do) -> None:
    call = do("update_schema", schema_id=schema.schema_id, name="Bill")
    assert call.preview["title"] == "Rename schema “Invoice”" and call.result["schema_revid"] == schema.pk
    assert "Nothing would change" in do("update_schema", schema_id=schema.schema_id, name=" Bill ").result["error"]
    schemas.save_version(actor, schema=schema.schema, response_format=WIDER)
    undo(call)
    assert (Schema.objects.get().name, Schema.objects.get().latest.number) == ("Invoice", 2)  # type: ignore[union-attr]


def test_it_leaves_what_it_does_not_change_to_others(actor: Actor, schema: SchemaRevision, do: Do) -> None:
    card = do("update_schema", schema_id=schema.schema_id, name="Invoice", response_format=WIDER, approve=False)
    assert "name" not in card.effective
    schemas.save_version(actor, schema=schema.schema, name="Bill")
    assert carry_out(actor, card).status == "succeeded"
    assert Schema.objects.get().name == "Bill"
    undo(card)
    assert Schema.objects.get().name == "Bill"


@pytest.mark.parametrize("response_format", [FORMAT, {"type": "json_schema"}, change_format(iban={"type": "string"})])
def test_it_refuses_a_version_that_is_none_or_cannot_be_used(
    schema: SchemaRevision, do: Do, response_format: dict[str, object]
) -> None:
    call = do("update_schema", schema_id=schema.schema_id, response_format=response_format, approve=False)
    assert call.status == "invalid"
    assert any(word in call.result["error"] for word in ("Nothing would change", "json_schema", "no description"))


def test_it_refuses_a_name_that_another_schema_has(actor: Actor, schema: SchemaRevision, do: Do) -> None:
    schemas.create(actor, name="Bill", response_format=FORMAT)
    assert do("update_schema", schema_id=schema.schema_id, name="bill", approve=False).status == "invalid"


def test_it_asks_again_after_another_version_but_not_after_a_new_name(
    actor: Actor, schema: SchemaRevision, do: Do
) -> None:
    card = do("update_schema", schema_id=schema.schema_id, response_format=WIDER, approve=False)
    schemas.save_version(actor, schema=schema.schema, name="Bill")
    again = do("update_schema", schema_id=schema.schema_id, response_format=WIDER, approve=False)
    assert carry_out(actor, card).status == "succeeded"
    assert carry_out(actor, again).status in ("stale", "failed")


def test_it_does_not_take_a_version_back_after_another(actor: Actor, schema: SchemaRevision, do: Do) -> None:
    call = do("update_schema", schema_id=schema.schema_id, response_format=WIDER)
    schemas.save_version(actor, schema=schema.schema, response_format=change_format(bic=IBAN))
    with pytest.raises(Conflict, match="changed since"):
        undo(call)


def test_it_reaches_further_with_a_schema_that_is_used_elsewhere(
    actor: Actor, member: Callable[[Role], Actor], document: Document, do: Do
) -> None:
    def reach(revision: SchemaRevision) -> str:
        return do("update_schema", schema_id=revision.schema_id, response_format=WIDER, approve=False).reach

    schema = schemas.create(actor, name="Mine", response_format=FORMAT)
    assert reach(schema) == "document"
    prompt = prompts.create(actor, name="Untagged", content="Read.", schema_revision=schema)
    run = Extraction.objects.create(
        document=document, number=1, status="completed", schema_revision=schema, prompt_revision=prompt, model="none"
    )
    assert reach(schema) == "document"
    run.document = another_document(actor)
    run.save()
    assert reach(schema) == "organization"
    run.delete()
    prompts.save_version(actor, prompt=prompt.prompt, tags=[tags.create(actor, name="Invoices")])
    assert reach(schema) == "organization"
    others = schemas.create(member(Role.BUILDER), name="Of somebody else", response_format=FORMAT)
    assert reach(others) == "organization"


def test_it_names_the_prompts_that_keep_a_schema_from_being_deleted(
    actor: Actor, schema: SchemaRevision, do: Do
) -> None:
    prompts.create(actor, name="Reader", content="Read.", schema_revision=schema)
    call = do("delete_schema", schema_id=schema.schema_id, approve=False)
    assert call.status == "invalid" and "is used by the prompt “Reader”" in call.result["error"]


def test_it_deletes_a_schema_forgets_it_and_brings_it_back(actor: Actor, do: Do) -> None:
    created = do("create_schema", name="Invoice", response_format=FORMAT).result
    assert Thread.objects.get().working_state == {"schema_revid": created["schema_revid"]}
    card = do("delete_schema", schema_id=created["schema_id"], approve=False)
    assert (card.status, card.reach, card.preview["subtitle"]) == ("pending", "organization", "1 version")
    carry_out(actor, card)
    assert Schema.objects.get().trashed_at and Thread.objects.get().working_state == {}
    undo(card)
    assert Schema.objects.get().trashed_at is None


def test_it_asks_again_before_it_deletes_what_has_changed(actor: Actor, schema: SchemaRevision, do: Do) -> None:
    card = do("delete_schema", schema_id=schema.schema_id, approve=False)
    schemas.save_version(actor, schema=schema.schema, response_format=WIDER)
    assert carry_out(actor, card).status == "stale" and Schema.objects.get().trashed_at is None


def test_it_takes_a_new_schema_back_unless_something_uses_it(actor: Actor, do: Do) -> None:
    call = do("create_schema", name="Invoice", response_format=FORMAT)
    revision = SchemaRevision.objects.get()
    prompt = prompts.create(actor, name="Reader", content="Read.", schema_revision=revision)
    with pytest.raises(Invalid, match="used by the prompt “Reader”"):
        undo(call)
    prompts.trash(actor, head=prompt.prompt)
    undo(call)
    assert Schema.objects.get().trashed_at


def test_a_card_says_which_schema_has_the_same_fields(actor: Actor, schema: SchemaRevision, do: Do) -> None:
    twin = do("create_schema", approve=False, name="Invoice 2", response_format=FORMAT)
    (warning,) = twin.preview["warnings"]
    assert warning.startswith("The same fields are in “Invoice” already. Reject this and ask to use that one")
    wider = do("create_schema", approve=False, name="Invoice 3", response_format=WIDER)
    assert wider.preview["warnings"] == []
    schemas.trash(actor, head=schema.schema)
    schemas.create(actor, name="Wider", response_format=WIDER)
    alone = do("create_schema", approve=False, name="Invoice 4", response_format=FORMAT)
    assert alone.preview["warnings"] == []


def test_a_card_shows_the_value_checks_that_a_schema_gets_and_loses(actor: Actor, do: Do) -> None:
    capital, needed = CAPITAL, {"kind": "required_if", "field": "vendor", "if_field": "due_date"}
    created = do("create_schema", name="Invoice", response_format=FORMAT, value_checks=[capital])
    words = "Vendor matches ^[A-Z]."
    assert created.preview["field_changes"] == [{"kind": "add", "name": "Check", "words": words}]
    schema_id = created.result["schema_id"]
    assert do("get_schema", schema_revid=schema_id).result["value_checks"] == [capital]
    call = do("update_schema", schema_id=schema_id, value_checks=[needed])
    assert [row["kind"] for row in call.preview["field_changes"]] == ["add", "cut"]
    assert call.preview["subtitle"] == "version 1 → 2"
    latest = Schema.objects.get().latest
    assert latest and (latest.number, latest.value_checks, latest.response_format) == (2, [needed], FORMAT)
    undo(call)
    latest = Schema.objects.get().latest
    assert latest and (latest.number, latest.value_checks) == (3, [capital])
    assert "Nothing would change" in do("update_schema", schema_id=schema_id, value_checks=[capital]).result["error"]
    wrong = do("update_schema", schema_id=schema_id, value_checks=[capital | {"field": "vendors"}])
    assert "no field vendors. The nearest are: vendor" in wrong.result["error"]


def test_it_starts_from_a_template_that_the_card_shows(actor: Actor, do: Do) -> None:
    card = do("create_schema", name="Miete", template="lease", approve=False)
    assert card.effective["response_format"] == list_templates()["lease"].response_format
    assert {"kind": "add", "name": "Check", "words": "End date is not before Start date."} in card.preview[
        "field_changes"
    ]
    result = carry_out(actor, card).result
    assert result["fields"][:2] == ["landlord", "tenant"] and result["prompt"].startswith("These are leases")
    assert len(Schema.objects.get().latest.value_checks) == 4  # type: ignore[union-attr]
    assert do("create_schema", name="Bill", template="bill").result["error"].startswith("There is no schema template")
    assert "one of the templates: invoice, receipt" in do("create_schema", name="Bill").result["error"]


def test_the_model_is_told_of_every_template() -> None:
    told = registry.find("create_schema").parameters["properties"]["template"]["description"]
    assert [key for key in list_templates() if f" {key}" not in told] == []
