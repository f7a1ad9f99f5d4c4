from __future__ import annotations

from typing import Any

import pytest
from django.core.files.base import ContentFile

from accounts.actor import Actor
from accounts.models import AuditEntry, Role
from documents.definitions import prompts, schemas
from documents.models import Document, Prompt, PromptRevision, Schema, SchemaRevision, Tag
from kit.errors import Conflict, Denied, Invalid, NotFound
from tests.documents.test_schemas import response_format

pytestmark = pytest.mark.servers


@pytest.fixture
def schema(actor: Actor) -> SchemaRevision:
    return schemas.create(actor, name="Invoice", response_format=response_format("total"))


@pytest.fixture
def tag(actor: Actor) -> Tag:
    return Tag.objects.create(organization=actor.organization, name="invoice")


def test_it_creates_the_first_revision_with_all_its_parts(actor: Actor, schema: SchemaRevision, tag: Tag) -> None:
    revision = prompts.create(actor, name="Read", content="Read it.", schema_revision=schema, tags=[tag])
    assert (revision.number, revision.schema_revision, list(revision.tags.all())) == (1, schema, [tag])
    assert revision.prompt.latest == revision
    assert AuditEntry.objects.get(target_id=revision.prompt_id).action == "created"


def test_it_refuses_a_name_that_is_taken(actor: Actor) -> None:
    first = prompts.create(actor, name="Read", content="Read it.")
    with pytest.raises(Conflict) as raised:
        prompts.create(actor, name="READ", content="Other.")
    assert raised.value.winner == {"prompt_id": first.prompt_id, "prompt_revid": first.pk, "prompt_version": 1}


def test_it_keeps_what_is_not_given(actor: Actor, schema: SchemaRevision, tag: Tag) -> None:
    first = prompts.create(actor, name="Read", content="Read it.", schema_revision=schema, tags=[tag])
    assert prompts.save_version(actor, prompt=first.prompt, content="Read it.", tags=[tag]) == first
    second = prompts.save_version(actor, prompt=first.prompt, content="Read all of it.")
    assert (second.number, second.schema_revision, list(second.tags.all())) == (2, schema, [tag])
    third = prompts.save_version(actor, prompt=first.prompt, schema_revision=None, tags=[])
    assert (third.number, third.content, third.schema_revision, third.tags.count()) == (3, "Read all of it.", None, 0)
    assert Prompt.objects.get().latest == third


def test_it_renames_without_a_revision(actor: Actor) -> None:
    first = prompts.create(actor, name="Read", content="Read it.")
    prompts.save_version(actor, prompt=first.prompt, name="Read invoices")
    assert (Prompt.objects.get().name, PromptRevision.objects.count()) == ("Read invoices", 1)


def test_it_takes_nothing_of_another_organization(
    actor: Actor, stranger: Actor, schema: SchemaRevision, tag: Tag
) -> None:
    with pytest.raises(NotFound, match="Tag"):
        prompts.create(stranger, name="Read", content="Read it.", tags=[tag])
    with pytest.raises(NotFound, match="Schema"):
        prompts.create(stranger, name="Read", content="Read it.", schema_revision=schema)


def test_it_takes_nothing_that_was_deleted_since_it_was_looked_up(
    actor: Actor, schema: SchemaRevision, tag: Tag
) -> None:
    Tag.objects.get().delete()
    schemas.trash(actor, head=Schema.objects.get())
    with pytest.raises(Invalid, match=tag.pk):
        prompts.create(actor, name="Read", content="Read it.", tags=[tag])
    with pytest.raises(NotFound, match="Schema"):
        prompts.create(actor, name="Read", content="Read it.", schema_revision=schema)
    assert not Prompt.objects.exists()


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"content": "  "}, "needs a text"),
        ({"name": " \n"}, "A name is needed"),
        ({"name": "x" * 201}, "200 is the most"),
        ({"model": "no-such-model"}, "no-such-model is not known here"),
    ],
)
def test_it_says_what_is_wrong(actor: Actor, changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(Invalid, match=sentence):
        prompts.create(actor, **{"name": "Read", "content": "Read it.", **changes})


def test_a_reviewer_may_not_create(member: Any) -> None:
    with pytest.raises(Denied):
        prompts.create(member(Role.REVIEWER), name="Read", content="Read it.")


def test_a_prompt_in_force_puts_the_schema_that_it_fills_into_force(actor: Actor) -> None:
    schema = schemas.create(actor, name="Invoice", response_format=response_format("total"), proposed=True)
    prompts.create(actor, name="Proposed", content="Read it.", schema_revision=schema, proposed=True)
    assert Schema.objects.get().latest is None
    prompts.create(actor, name="Read", content="Read it.", schema_revision=schema)
    assert Schema.objects.get().latest == schema and SchemaRevision.objects.get().status == "accepted"


def test_a_shared_tag_routes_the_latest_revision_to_the_document(actor: Actor, tag: Tag) -> None:
    document = Document.objects.create(
        organization=actor.organization, name="a.pdf", sha256="0", size=1, file=ContentFile(b"x", "a")
    )
    document.tags.add(tag)
    first = prompts.create(actor, name="Read", content="Read it.", tags=[tag])
    prompts.create(actor, name="Untagged", content="Read it.")
    gone = prompts.create(actor, name="Gone", content="Read it.", tags=[tag])
    prompts.trash(actor, head=gone.prompt)
    assert prompts.list_matching_prompts(document) == [first]
    second = prompts.save_version(actor, prompt=first.prompt, content="Better.")
    assert prompts.list_matching_prompts(document) == [second]
    prompts.save_version(actor, prompt=first.prompt, tags=[])
    assert prompts.list_matching_prompts(document) == []
