"""How pages elsewhere mark what is only proposed, and the log of a run."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

from collections.abc import Callable

import pytest

from accounts.actor import Actor
from accounts.models import Role
from agent.models import Message, Thread, Turn
from documents.definitions import schemas
from documents.models import (
    AutoSetup,
    Extraction,
)
from tests.agent.proposal_page_rows import (  # noqa: F401 - auto, browse are fixtures
    FIELD,
    FORMAT,
    HTMX,
    Client_,
    address,
    auto,
    browse,
    post,
)

pytestmark = pytest.mark.django_db


# --- The mark of what is only proposed ---

MARK = '<span class="chip chip-proposed">proposed</span>'


def page(browse: Client_, actor: Actor, path: str) -> str:
    answer = browse(actor).get(path)
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def test_lists_pages_and_versions_mark_what_is_only_proposed(browse: Client_, actor: Actor, auto: AutoSetup) -> None:
    assert auto.proposal and auto.proposal.prompt_revision and auto.proposal.schema_revision
    schema, prompt = auto.proposal.schema_revision.schema, auto.proposal.prompt_revision.prompt
    assert MARK in page(browse, actor, address("schemas", actor))
    prompts_list = page(browse, actor, address("prompts", actor))
    assert MARK in prompts_list and "nothing until it is accepted" in prompts_list
    html = page(browse, actor, address("schema", actor, schema.pk))
    assert f"{prompt.name}</a>{MARK}" in html and "version 1, proposed" in html
    html = page(browse, actor, address("prompt", actor, prompt.pk))
    assert f"version 1 {MARK}" in html and "there is a newer one" not in html


def test_a_proposed_version_of_what_is_in_use_is_marked_where_it_is_compared(browse: Client_, actor: Actor) -> None:
    head = schemas.create(actor, name="Invoice", response_format=FORMAT).schema
    inner = FORMAT["json_schema"]["schema"] | {"properties": {"total": FIELD}}  # type: ignore[index]
    response_format = FORMAT | {"json_schema": FORMAT["json_schema"] | {"schema": inner}}  # type: ignore[operator]
    schemas.save_version(actor, schema=head, response_format=response_format, proposed=True)
    html = page(browse, actor, f"{address('schema', actor, head.pk)}?version=1&with=2")
    assert "with version 2, proposed</option>" in html and f"version 1 to 2</span> {MARK}" in html


def test_values_of_a_proposal_are_marked_and_run_again_with_it(browse: Client_, actor: Actor, auto: AutoSetup) -> None:
    html = page(browse, actor, address("document", actor, auto.document_id))
    assert "Found with a proposal" in html and "See the proposal" in html and html.count(MARK) >= 2
    assert auto.proposal and f'name="prompt_revision" value="{auto.proposal.prompt_revision_id}"' in html
    post(browse, actor, "proposal-accept", str(auto.proposal_id))
    html = page(browse, actor, address("document", actor, auto.document_id))
    assert "Found with a proposal" not in html and MARK not in html


def test_the_tab_counts_a_proposal_until_it_is_decided(browse: Client_, actor: Actor, auto: AutoSetup) -> None:
    count = '<span class="count" id="agent-count-words" data-version="1">1<span class="sr"> waiting</span></span>'
    paths = [address("document", actor, auto.document_id), address("document-agent", actor, auto.document_id)]
    assert all(count in page(browse, actor, path) for path in paths)
    post(browse, actor, "proposal-accept", str(auto.proposal_id))
    assert not any("agent-count-words" in page(browse, actor, path) for path in paths)


def test_the_task_heads_the_log_and_nobody_is_said_to_have_written_it(
    browse: Client_, actor: Actor, auto: AutoSetup
) -> None:
    turn = Turn.objects.get()
    Message.objects.create(
        thread=turn.thread, turn=turn, number=1, role="user", blocks=[{"type": "text", "text": "Set up."}]
    )
    html = page(browse, actor, address("document-agent", actor, auto.document_id))
    assert "What it did" in html and "Replayed log" in html and "user-message" not in html
    Turn.objects.update(status="running", finished_at=None)
    assert "Replayed log" not in page(browse, actor, address("document-agent", actor, auto.document_id))


@pytest.mark.parametrize(
    ("status", "words"),
    [("running", "Watch it"), ("failed", "The automatic setup failed"), ("skipped", "The automatic setup was skipped")],
)
def test_a_tab_without_values_says_what_became_of_the_setup(
    browse: Client_, actor: Actor, auto: AutoSetup, status: str, words: str
) -> None:
    Extraction.objects.all().delete()
    AutoSetup.objects.update(status=status, reason="The key was refused.", extraction=None)
    html = page(browse, actor, address("document", actor, auto.document_id))
    assert words in html and ("The key was refused." in html) is (status != "running")


def test_refining_leads_to_the_thread_where_the_next_message_goes_on(
    browse: Client_, actor: Actor, auto: AutoSetup, member: Callable[[Role], Actor]
) -> None:
    path = address("proposal-refine", actor, str(auto.proposal_id))
    own = browse(actor).post(path, {}, **HTMX)["HX-Redirect"]
    assert own == f"{address('document-agent', actor, auto.document_id)}?thread={auto.thread_id}#say"
    other = browse(member(Role.BUILDER)).post(path, {}, **HTMX)["HX-Redirect"]
    begun = Thread.objects.exclude(pk=auto.thread_id).get()
    assert begun.pk in other and begun.title == "Refine “Read an invoice”"
    assert browse(member(Role.REVIEWER)).post(path, {}, **HTMX).status_code == 403
    post(browse, actor, "proposal-accept", str(auto.proposal_id))
    assert browse(actor).post(path, {}, **HTMX).status_code == 409
