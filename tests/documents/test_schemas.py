from __future__ import annotations

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.db import connection

from accounts.access import enter
from accounts.actor import Actor
from accounts.models import AuditEntry, Member, Organization, Role, User
from documents.definitions import definitions, prompts, schemas
from documents.models import Schema, SchemaRevision
from kit.errors import Conflict, Denied, Invalid, NotFound

pytestmark = pytest.mark.servers


def response_format(*names: str) -> dict[str, Any]:
    fields = {name: {"type": "string", "description": f"The {name}"} for name in names}
    return {"type": "json_schema", "json_schema": {"name": "s", "schema": {"type": "object", "properties": fields}}}


def test_it_creates_the_first_revision_and_records_who(actor: Actor) -> None:
    revision = schemas.create(actor, name="  Invoice   fields ", response_format=response_format("total"))
    assert (revision.number, revision.schema.name, revision.schema.latest) == (1, "Invoice fields", revision)
    assert AuditEntry.objects.get(target_id=revision.schema_id).action == "created"


def test_it_refuses_a_name_that_differs_in_case_only(actor: Actor) -> None:
    first = schemas.create(actor, name="Übersicht", response_format=response_format("a"))
    with pytest.raises(Conflict) as raised:
        schemas.create(actor, name="ÜBERSICHT", response_format=response_format("b"))
    assert raised.value.winner == {"schema_id": first.schema_id, "schema_revid": first.pk, "schema_version": 1}
    assert SchemaRevision.objects.count() == 1


def test_other_organizations_have_names_of_their_own(actor: Actor, stranger: Actor) -> None:
    schemas.create(actor, name="Invoice", response_format=response_format("a"))
    schemas.create(stranger, name="Invoice", response_format=response_format("a"))


def test_an_identical_save_makes_no_revision(actor: Actor) -> None:
    first = schemas.create(actor, name="Invoice", response_format=response_format("a"))
    assert schemas.save_version(actor, schema=first.schema, response_format=response_format("a")) == first
    second = schemas.save_version(actor, schema=first.schema, response_format=response_format("a", "b"))
    assert (second.number, second.schema.latest) == (2, second)
    first.refresh_from_db()
    assert first.response_format == response_format("a")


def test_it_renames_without_a_revision(actor: Actor) -> None:
    first = schemas.create(actor, name="Invoice", response_format=response_format("a"))
    assert schemas.save_version(actor, schema=first.schema, name="Bill") == first
    assert Schema.objects.get().name == "Bill"
    schemas.create(actor, name="Invoice", response_format=response_format("a"))
    with pytest.raises(Conflict):
        schemas.save_version(actor, schema=first.schema, name="invoice")


def test_a_proposed_revision_is_never_the_latest(actor: Actor) -> None:
    first = schemas.create(actor, name="Invoice", response_format=response_format("a"))
    proposed = schemas.save_version(actor, schema=first.schema, response_format=response_format("b"), proposed=True)
    assert (proposed.status, Schema.objects.get().latest) == ("proposed", first)


def test_it_refuses_to_save_over_a_version_that_was_not_seen(actor: Actor) -> None:
    first = schemas.create(actor, name="Invoice", response_format=response_format("a"))
    second = schemas.save_version(actor, schema=first.schema, response_format=response_format("b"))
    with pytest.raises(Conflict) as raised:
        schemas.save_version(actor, schema=first.schema, response_format=response_format("c"), expected_revid=first.pk)
    assert raised.value.winner == {"latest": second.pk}


def test_it_says_what_is_wrong_and_where(actor: Actor) -> None:
    broken = response_format("a")
    broken["json_schema"]["schema"]["properties"]["a"] = {"type": "string"}
    with pytest.raises(Invalid) as raised:
        schemas.create(actor, name="Invoice", response_format=broken)
    assert raised.value.problems[0].where == "a"
    schemas.create(actor, name="Invoice", response_format=broken, descriptions=False)


def test_a_reviewer_may_not_create_change_return_to_trash_or_restore(actor: Actor, member: Any) -> None:
    revision, reviewer = (
        schemas.create(actor, name="Invoice", response_format=response_format("a")),
        member(Role.REVIEWER),
    )
    for change in (
        lambda: schemas.create(reviewer, name="Bill", response_format=response_format("a")),
        lambda: schemas.save_version(reviewer, schema=revision.schema, name="Bill"),
        lambda: schemas.return_to(reviewer, head=revision.schema, revision=revision, name="Bill"),
        lambda: schemas.trash(reviewer, head=revision.schema),
        lambda: definitions.restore(reviewer, head=revision.schema),
    ):
        with pytest.raises(Denied):
            change()


def test_a_schema_returns_to_none_of_the_versions_of_another(actor: Actor) -> None:
    first, other = (schemas.create(actor, name=name, response_format=response_format(name)) for name in ("a", "b"))
    with pytest.raises(NotFound, match="Schema not found"):
        schemas.return_to(actor, head=first.schema, revision=other)


def test_it_keeps_a_schema_that_prompts_use_and_names_them(actor: Actor) -> None:
    revision = schemas.create(actor, name="Invoice", response_format=response_format("a"))
    prompt = prompts.create(actor, name="Read it", content="Read it.", schema_revision=revision)
    with pytest.raises(Invalid, match="used by the prompt “Read it”") as raised:
        schemas.trash(actor, head=revision.schema)
    assert raised.value.code == "in_use"
    prompts.trash(actor, head=prompt.prompt)
    schemas.trash(actor, head=revision.schema)
    assert not Schema.objects.for_org(actor.organization).exists()
    with pytest.raises(NotFound):
        schemas.save_version(actor, schema=revision.schema, name="Other")


def test_a_name_in_the_trash_is_free_and_blocks_the_way_back(actor: Actor) -> None:
    old = schemas.create(actor, name="Invoice", response_format=response_format("a")).schema
    schemas.trash(actor, head=old)
    schemas.create(actor, name="Invoice", response_format=response_format("a"))
    with pytest.raises(Conflict):
        definitions.restore(actor, head=old)


@pytest.mark.django_db(transaction=True)
def test_of_two_creators_at_once_one_gets_a_conflict() -> None:
    user = User.objects.create_user("a@acme.example")
    organization = Organization.objects.create(name="Acme")
    Member.objects.create(organization=organization, user=user, role=Role.BUILDER)
    start = Barrier(4)

    def create(number: int) -> str:
        try:
            actor = enter(user, organization.pk)
            start.wait(60)
            return schemas.create(actor, name="Invoice", response_format=response_format(f"f{number}")).pk
        except Conflict as conflict:
            return str(conflict.winner and conflict.winner["schema_revid"])
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        outcomes = set(pool.map(create, range(4)))
    assert outcomes == {SchemaRevision.objects.get().pk}


def test_fields_keep_their_order(actor: Actor) -> None:
    created = schemas.create(actor, name="Invoice", response_format=response_format("zeta", "b", "alpha_long"))
    created.refresh_from_db()
    assert list(created.json_schema["properties"]) == ["zeta", "b", "alpha_long"]


def test_twins_have_the_same_field_names_and_no_others(actor: Actor) -> None:
    names = ("größe", 'the "total"', "a_b")
    twin = schemas.create(actor, name="Twin", response_format=response_format(*reversed(names)), descriptions=False)
    other = ("wider", (*names, "more")), ("narrower", names[:2]), ("similar", ("größe", 'the "total"', "axb"))
    for name, fields in other:
        schemas.create(actor, name=name, response_format=response_format(*fields), descriptions=False)
    wanted = response_format(*names)["json_schema"]["schema"]
    assert schemas.find_twins(actor.organization, wanted) == [(twin.schema_id, "Twin")]
    assert schemas.find_twins(actor.organization, wanted, but=twin.schema_id) == []


def test_looking_for_twins_parses_only_what_has_every_field_name_in_its_text(actor: Actor) -> None:
    for number in range(3):
        schemas.create(actor, name=f"Schema {number}", response_format=response_format(f"total_{number}"))
    wanted = response_format("total_1")["json_schema"]["schema"]
    decode, decoded = json.JSONDecoder.decode.__code__, []

    def count_decoding(frame: Any, event: str, arg: object) -> None:
        if event == "call" and frame.f_code is decode:
            decoded.append(frame)

    sys.setprofile(count_decoding)
    try:
        schemas.find_twins(actor.organization, wanted)
    finally:
        sys.setprofile(None)
    assert len(decoded) == 1
