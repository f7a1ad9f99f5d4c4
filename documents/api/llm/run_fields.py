"""Values one by one: what each rests on, and a change or a verification of one and no other."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request

from accounts.actor import Actor
from accounts.api.access import OrganizationView
from accounts.api.wire import conditions
from accounts.api.wire.described import Choice, Flag, Text, describe, describe_window
from accounts.api.wire.fields import ExactSerializer, StrictTextField, read_choice, read_flag
from accounts.api.wire.pagination import read_window
from accounts.api.wire.responses import Answer
from accounts.models import Role
from documents import values
from documents.api.field_answers import STATES, Field, FieldPage, StateRecord
from documents.api.llm.prompt_results import represent
from documents.api.llm.provenance import make_field, prove_leaves, represent_field
from documents.api.llm.run_history import fetch_extraction
from documents.catalog.row_versions import get_extraction_version
from documents.extractions import edits
from documents.extractions.field_proofs import FieldProofs, Leaf
from documents.models import Extraction
from documents.review.track_record import get_track_record
from documents.values import Where
from kit.errors import Invalid, NotFound
from kit.http.bodies import Body

MAX_PATH = 500


_MISSING = ["Extraction not found", "There is no value at totl."]
_NOT_ONE = "items is no single value. Name one of its values, or PUT the whole result."


class NamedField(ExactSerializer):
    path = StrictTextField(max_length=MAX_PATH, trim_whitespace=False, help_text="As `fields` gives it.")


class ChangedField(NamedField):
    value = serializers.JSONField(allow_null=True, help_text="As the schema allows it there.")


class Fields(OrganizationView):
    """The values of a run with what each rests on, and a change of one of them."""

    body_kind = Body.TEXT
    is_conditional = True
    roles = {"GET": Role.VIEWER, "PATCH": Role.REVIEWER}
    bodies = {"PATCH": ChangedField}

    @describe(
        "List the values of a run and what they rest on",
        query=[
            *describe_window(default=100, maximum=1000),
            Text("path", "This value, or those inside: `items`, `items.0`, `items.0.amount`."),
            Choice("state", "In this state.", allowed=STATES),
            Flag("verified", "With a verification, or with false without one.", default=None),
        ],
    )
    def get(self, request: Request, document_id: str, extraction_id: str) -> Answer[FieldPage] | conditions.NotModified:
        """In the order of the result; fewer come where they are long. Each has its own `etag`."""
        extraction = fetch_extraction(self.actor, document_id, extraction_id)
        proofs = FieldProofs(extraction)
        leaves, at = _filter(request, proofs), read_window(request, default=100, maximum=1000)
        part = prove_leaves(proofs, leaves[at.skip : at.skip + at.limit])
        page: FieldPage = {
            "fields": part.fields,
            "total_count": len(leaves),
            "skip": at.skip,
            "track_record": _list_records(self.actor, extraction),
        }
        if part.is_cut:
            page["next_skip"] = at.skip + len(part.fields)
        return conditions.answer_unless_known(
            request, conditions.Representation(page, get_extraction_version(extraction))
        )

    @describe(
        "Change one value",
        refusals={
            400: ["total: 12,5 is not of type 'number'"],
            404: _MISSING,
            409: ["There is a newer run of this prompt. Load the page again and change the value there."],
        },
    )
    def patch(self, request: Request, document_id: str, extraction_id: str) -> Answer[Field]:
        """It is kept as an edit of yours on top of what the run found, and ends the verifications of the value and of
        the whole. A position past the end of a list adds a row. `If-Match` takes the value's `etag`, or that of the
        whole result to be refused when anything in it has changed.
        """
        extraction, sent = fetch_extraction(self.actor, document_id, extraction_id), self.read_body()
        expected = conditions.read_expected_versions(request)
        with _name_winner(extraction, sent["path"]):
            edit = edits.set_path(
                self.actor,
                extraction=extraction,
                path=sent["path"],
                value=sent["value"],
                expected_versions=expected,
            )
        return _answer(extraction, values.get_wire_path(extraction.current, edit.where))


class FieldVerification(OrganizationView):
    """A person says that one value is right. A single value; twice is once."""

    body_kind = Body.TEXT
    is_conditional = True
    roles = {"POST": Role.REVIEWER}
    bodies = {"POST": NamedField}

    @describe("Verify one value", refusals={400: [_NOT_ONE], 404: _MISSING})
    def post(self, request: Request, document_id: str, extraction_id: str) -> Answer[Field]:
        return _mark(self, document_id, extraction_id, edits.verify)


class FieldVerificationRemoval(OrganizationView):
    """Takes the verification of one value back, and with it that of the whole result. Without one nothing happens."""

    body_kind = Body.TEXT
    is_conditional = True
    roles = {"POST": Role.REVIEWER}
    bodies = {"POST": NamedField}

    @describe("Take a verification back", refusals={400: [_NOT_ONE], 404: _MISSING})
    def post(self, request: Request, document_id: str, extraction_id: str) -> Answer[Field]:
        return _mark(self, document_id, extraction_id, edits.unverify_value)


def _mark(view: OrganizationView, document_id: str, extraction_id: str, change: Callable[..., object]) -> Answer[Field]:
    extraction, path = fetch_extraction(view.actor, document_id, extraction_id), view.read_body()["path"]
    where, expected = _find_single_value(extraction, path), conditions.read_expected_versions(view.request)
    with _name_winner(extraction, path):
        change(view.actor, extraction=extraction, where=where, expected_versions=expected)
    return _answer(extraction, path)


def _find_single_value(extraction: Extraction, path: str) -> Where:
    """Raises NotFound, and Invalid for what holds several values."""
    where = values.find_where(extraction.current, path)
    if isinstance(values.get_value(extraction.current, where), dict | list):
        raise Invalid(f"{path[:200]} is no single value. Name one of its values, or PUT the whole result.")
    return where


def _answer(extraction: Extraction, path: str) -> Answer[Field]:
    now = represent_field(FieldProofs(extraction).prove_path(path))
    return Answer(make_field(now), headers=now.headers)


def _name_winner(extraction: Extraction, path: str) -> AbstractContextManager[None]:
    return conditions.name_winner(lambda: _represent_newest(extraction, path))


def _represent_newest(extraction: Extraction, path: str) -> conditions.Representation[Any]:
    """The value as it is now; the whole result where there is no such value any more."""
    extraction.refresh_from_db()
    try:
        return represent_field(FieldProofs(extraction).prove_path(path))
    except NotFound:
        return represent(extraction)


def _list_records(actor: Actor, extraction: Extraction) -> list[StateRecord]:
    revision = extraction.schema_revision
    records = get_track_record(actor.organization, revision.schema_id).records if revision else ()
    return [{"state": state, "right": right, "reviewed": reviewed} for state, right, reviewed in records]


def _filter(request: Request, proofs: FieldProofs) -> list[Leaf]:
    leaves = proofs.list_leaves(inside=request.query_params.get("path", ""))
    if state := read_choice(request, "state", "", tuple(STATES)):
        leaves = [leaf for leaf in leaves if proofs.prove(leaf).state == state]
    if request.query_params.get("verified"):
        is_verified = read_flag(request, "verified", False)
        leaves = [leaf for leaf in leaves if bool(proofs.prove(leaf).verification) == is_verified]
    return leaves
