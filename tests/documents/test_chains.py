"""The chain document, schema, prompt, tag on each of their pages: linked, and where a link is missing, how to mend it."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.urls import reverse

from accounts.actor import Actor
from accounts.models import Role
from documents.definitions import prompts, schemas
from documents.models import Document, Prompt, Schema, Tag
from tests.documents.proposal_rows import make_auto_setup, make_completed_run, response_format
from tests.page_client import PageClient

pytestmark = pytest.mark.servers

SignedIn = Callable[[PageClient, Actor], PageClient]


@pytest.fixture
def page(client: PageClient, actor: Actor, signed_in: SignedIn) -> PageClient:
    return signed_in(client, actor)


@pytest.fixture
def schema(actor: Actor) -> Schema:
    return schemas.create(actor, name="Bill fields", response_format=response_format("total")).schema


@pytest.fixture
def tag(actor: Actor) -> Tag:
    return Tag.objects.create(organization=actor.organization, name="Bills")


@pytest.fixture
def prompt(actor: Actor, schema: Schema, tag: Tag) -> Prompt:
    made = prompts.create(actor, name="Read bills", content="Take it.", schema_revision=schema.latest, tags=[tag])
    return Prompt.objects.get(pk=made.prompt_id)


@pytest.fixture
def document(actor: Actor) -> Document:
    setup = make_auto_setup(actor, name="march.pdf")
    document = setup.document
    setup.delete()
    return document


def read_chain(page: PageClient, name: str, *ids: str) -> tuple[str, list[str]]:
    """The chain and the words of its four links."""
    chain = page.get(reverse(name, args=ids)).text.partition('<nav class="chain"')[2].partition("</nav>")[0]
    items = re.findall(r"<li>(.*?)</li>", chain, re.S)
    return chain, [" ".join(re.sub(r"<[^>]+>", " ", item).split()) for item in items]


def test_each_page_links_the_whole_chain(
    page: PageClient, actor: Actor, document: Document, schema: Schema, prompt: Prompt, tag: Tag
) -> None:
    document.tags.add(tag)
    make_completed_run(document, prompt.latest)
    org = actor.organization.pk
    for name, row, first in (
        ("document", document, "march.pdf"),
        ("schema", schema, "1 document"),
        ("prompt", prompt, "1 document"),
        ("tag", tag, "1 document"),
    ):
        chain, words = read_chain(page, name, org, row.pk)
        assert words == [first, "Bill fields", "Read bills", "Bills"], name
        assert chain.count('aria-current="page"') == 1 and "chip-missing" not in chain
        for other in (("schema", schema), ("prompt", prompt), ("tag", tag)):
            assert f'href="{reverse(other[0], args=(org, other[1].pk))}"' in chain
        if name != "document":
            listed = page.get(f"{reverse('documents', args=[org])}?{name}={row.pk}").text
            assert f"?{name}={row.pk}" in chain and document.pk in listed


def test_what_is_missing_says_so_and_offers_the_step(page: PageClient, actor: Actor, document: Document) -> None:
    org = actor.organization.pk
    chain, words = read_chain(page, "document", org, document.pk)
    assert words == ["march.pdf", "No schema: set it up", "No prompt: make one", "Doesn’t run automatically"]
    assert f"{reverse('document-agent', args=(org, document.pk))}?say=" in chain
    written = prompts.create(actor, name="Letter", content="Say it.").prompt
    chain, words = read_chain(page, "prompt", org, written.pk)
    assert words == [
        "On no document yet: try it",
        "No schema: choose one",
        "Letter",
        "Doesn’t run automatically: add a tag",
    ]
    assert chain.count(reverse("prompt-edit", args=(org, written.pk))) == 2


def test_a_lonely_schema_and_a_lonely_tag_name_what_is_next(
    page: PageClient, actor: Actor, schema: Schema, tag: Tag
) -> None:
    org = actor.organization.pk
    assert read_chain(page, "schema", org, schema.pk)[1][2] == "No prompt: make one"
    assert read_chain(page, "tag", org, tag.pk)[1] == [
        "No document yet: choose some",
        "No schema: make one",
        "No prompt: make one",
        "Bills",
    ]


def test_a_prompt_begins_with_the_schema_or_tag_that_led_to_it(
    page: PageClient, actor: Actor, schema: Schema, tag: Tag
) -> None:
    org, new = actor.organization.pk, reverse("prompt-new", args=(actor.organization.pk,))
    for kind, row, chosen in (
        ("schema", schema, f'<option value="{schema.latest_id}" selected>'),
        ("tag", tag, f'value="{tag.pk}" checked'),
    ):
        address = f"{new}?{kind}={row.pk}"
        listed = page.get(reverse(f"{kind}s", args=(org,))).text
        assert f'href="{address}"' in listed and "Add a prompt" in listed
        assert f'href="{address}"' in read_chain(page, kind, org, row.pk)[0]
        assert chosen in " ".join(page.get(address).text.split())
        assert chosen not in " ".join(page.get(f"{new}?{kind}=nobody").text.split())


def test_before_a_run_it_shows_the_prompt_that_its_tags_start(
    page: PageClient, actor: Actor, document: Document, prompt: Prompt, tag: Tag
) -> None:
    document.tags.add(tag)
    words = read_chain(page, "document", actor.organization.pk, document.pk)[1]
    assert words == ["march.pdf", "Bill fields", "Read bills", "Bills"]


def test_several_prompts_are_counted(page: PageClient, actor: Actor, schema: Schema, prompt: Prompt, tag: Tag) -> None:
    prompts.create(actor, name="Read more", content="Take it.", schema_revision=schema.latest, tags=[tag])
    for name, row in (("schema", schema), ("tag", tag)):
        assert read_chain(page, name, actor.organization.pk, row.pk)[1][2] == "Read bills +1"


def test_what_is_in_the_trash_is_missing(page: PageClient, actor: Actor, document: Document, prompt: Prompt) -> None:
    make_completed_run(document, prompt.latest)
    prompts.trash(actor, head=prompt)
    words = read_chain(page, "document", actor.organization.pk, document.pk)[1]
    assert words[2:] == ["No prompt: make one", "Doesn’t run automatically"]


def test_who_may_not_mend_it_gets_no_link(
    actor: Actor, document: Document, member: Callable[[Role], Actor], signed_in: SignedIn
) -> None:
    viewer = signed_in(PageClient(), member(Role.VIEWER))
    chain, words = read_chain(viewer, "document", actor.organization.pk, document.pk)
    assert words == ["march.pdf", "No schema", "No prompt", "Doesn’t run automatically"] and "<a " not in chain
