"""A proposal for two documents, and refinements of it."""

from __future__ import annotations

import pytest

from accounts.access import enter
from accounts.actor import Actor
from accounts.models import Organization, User
from accounts.services import organizations, users
from documents.autosetup import auto_setup, proposals
from documents.models import AutoSetup, Proposal, Schema
from tests.agent.refinements import Run, prompt_for_them
from tests.agent.test_headless import (  # noqa: F401 - run is a fixture
    DESIGN,
    INVOICE,
    now,
    response_format,
    run,
    uploaded,
)
from tests.kept_rows import KeptRows
from tests.scripted_model import calls, says


@pytest.fixture(scope="module")
def kept_rows() -> dict[str, KeptRows]:
    """Of each start that the tests have in common: the model is asked for it once."""
    return {"group": KeptRows(), "extended": KeptRows()}


@pytest.fixture
def group(run: Run, kept_rows: dict[str, KeptRows]) -> list[AutoSetup]:  # noqa: F811
    """Two look-alikes with one proposal, in an organization of their own."""

    def make() -> None:
        user = users.create(None, email="admin@acme.example", password=None, name="Admin")
        actor = enter(user, organizations.create(user, name="Acme", type="team").pk)
        for number in (1, 2):
            uploaded(actor, INVOICE.format(n=number, who=f"Firm{number}"), f"{number}.pdf")
        auto_setup.assign_waiting()
        run(*DESIGN)

    kept_rows["group"].make_or_put_back(make)
    return [now(auto) for auto in AutoSetup.objects.order_by("document__name")]


@pytest.fixture
def organization(group: list[AutoSetup]) -> Organization:
    return Organization.objects.get()


@pytest.fixture
def user(group: list[AutoSetup]) -> User:
    return User.objects.get()


@pytest.fixture
def extended(actor: Actor, run: Run, group: list[AutoSetup], kept_rows: dict[str, KeptRows]) -> AutoSetup:  # noqa: F811
    """Version 1 is in force, and version 2 with one more field is proposed for a third document."""

    def make() -> None:
        _accept(actor, group[0])
        uploaded(actor, INVOICE.format(n=3, who="Zebra"), "3.pdf")
        run(calls(_widen()), prompt_for_them, calls(("run_extraction", {})), says("Extended."))

    kept_rows["extended"].make_or_put_back(make)
    return now(AutoSetup.objects.get(document__name="3.pdf"))


def _widen(*names: str) -> tuple[str, dict[str, object]]:
    new_format = response_format(*(names or ("total", "tax")))
    return "update_schema", {"schema_id": Schema.objects.get().pk, "response_format": new_format}


def _proposal(auto: AutoSetup) -> Proposal:
    proposal = now(auto).proposal
    assert proposal and proposal.schema_revision and proposal.prompt_revision
    return proposal


def _accept(actor: Actor, auto: AutoSetup) -> Proposal:
    proposals.accept(actor, proposal=_proposal(auto))
    return _proposal(auto)
