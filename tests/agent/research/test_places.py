"""Places that the agent names in its answers: links to the words on their page, inside the organization alone."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

import pytest
from django.urls import reverse

from accounts.actor import Actor
from agent.citations.aliases import ThreadAliases, note_read
from agent.models import Thread
from agent.templatetags.agent_text import markdown
from documents.models import Document, Reading
from tests.agent.research.cited_answers import invoice, research  # noqa: F401 - fixtures
from tests.agent.tool_documents import document  # noqa: F401 - a fixture
from tests.documents.reading_rows import document_with
from tests.page_client import PageClient

pytestmark = pytest.mark.django_db
PLACE, ORGANIZATION = "65f1a2b3c4d5e6f708192a3b.1.4", "65f1a2b3c4d5e6f708192a02"


@pytest.mark.parametrize(
    "text", [f"See [{PLACE}].", f"See {PLACE}.", f"See `{PLACE}`.", f"See [{PLACE}](http://x.example)."]
)
def test_a_block_id_in_an_answer_is_a_link_to_its_words(text: str) -> None:
    html = markdown(text, ORGANIZATION)
    assert f'href="{reverse("place", args=(ORGANIZATION, PLACE))}"' in html and "page 1, line 4</a>" in html
    assert html.count("<a ") == 1 and 'href="http' not in html
    assert "<a " not in markdown(text)


@pytest.mark.parametrize("text", ["[1.4]", f"{PLACE[:-2]}.0", "65F1.1.4", "<a href='x'>y</a>", "f" * 30 + ".1.4"])
def test_nothing_else_is(text: str) -> None:
    assert "<a " not in markdown(text, ORGANIZATION)


def test_it_leads_to_the_document_with_the_words_boxed(
    actor: Actor,
    stranger: Actor,
    document: Document,
) -> None:
    block_id = f"{Reading.objects.get().pk}.1.1"
    client, other = PageClient(), PageClient()
    client.force_login(actor.user)
    other.force_login(stranger.user)
    answer = client.get(reverse("place", args=(actor.organization.pk, block_id)))
    assert answer.status_code == 302
    assert answer["Location"] == f"{reverse('document', args=(actor.organization.pk, document.pk))}?at={block_id}"
    assert other.get(reverse("place", args=(stranger.organization.pk, block_id))).status_code == 404
    for wrong in ("x", f"{block_id}9.1"):
        assert client.get(reverse("place", args=(actor.organization.pk, wrong))).status_code in (400, 404)


def test_a_name_of_another_organizations_reading_means_nothing(research: Thread, stranger: Actor) -> None:
    """Not even where a row says that the thread has read it."""
    theirs = document_with(stranger.organization, ["Secret"]).readings.get()
    assert note_read(research, theirs, {1: [1]}).name == "D1"
    assert ThreadAliases(research).find("D1:1.1") is None
