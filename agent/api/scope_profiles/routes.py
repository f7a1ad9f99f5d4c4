"""Scope profiles: what the agent is for, and what the checks by one say of a message and of documents."""

from __future__ import annotations

from rest_framework.request import Request

from accounts.access import fetch
from accounts.api.access import OrganizationView
from accounts.api.wire.described import describe
from accounts.api.wire.responses import Answer, NoContent
from accounts.models import AccessToken, Role
from agent.api.scope_profiles import answers
from agent.api.scope_profiles.bodies import ScopeProfileBody, ScopeTrialBody
from agent.models import McpClient, ScopeProfile
from agent.scope_profiles import profile_rows
from agent.scope_profiles import requests as requests_check
from agent.scope_profiles.context import EarlierMessage
from agent.scope_profiles.profile import Profile
from agent.scope_profiles.verdicts import Verdict
from agent.turns.scope_gate import trials
from documents.models import Document
from kit.errors import Invalid
from kit.timestamps import format_timestamp


class ScopeProfiles(OrganizationView):
    """The scope profiles of the organization, of its access tokens and of its MCP clients."""

    roles = {"GET": Role.ADMIN}

    @describe("List scope profiles")
    def get(self, request: Request) -> Answer[answers.ScopeProfileList]:
        rows = profile_rows.list_profiles(self.actor.organization)
        return Answer({"scope_profiles": [_describe_row(row) for row in rows]})


class OneScopeProfile(OrganizationView):
    """The scope profile of one subject: `organization`, or the id of an access token or MCP client."""

    roles = {"PUT": Role.ADMIN, "DELETE": Role.ADMIN}
    bodies = {"PUT": ScopeProfileBody}

    @describe(
        "Save a scope profile",
        refusals={
            400: ["types names types that do not exist: poem."],
            404: ["Access token or MCP client not found"],
        },
    )
    def put(self, request: Request, subject_id: str) -> Answer[answers.ScopeProfileRow]:
        subject = profile_rows.fetch_subject(self.actor.organization, subject_id)
        return Answer(_describe_row(profile_rows.save_profile(self.actor, subject=subject, **self.read_body())))

    @describe("Remove a scope profile", refusals={404: ["Scope profile not found"]})
    def delete(self, request: Request, subject_id: str) -> NoContent:
        subject = profile_rows.fetch_subject(self.actor.organization, subject_id)
        profile_rows.remove_profile(self.actor, subject=subject)
        return NoContent()


class ScopeProfileTrial(OrganizationView):
    """Both checks by the scope profile of a subject and that of the organization, by patterns and rules alone.

    Where both have one, each has to let a message or document pass. No model is called and nothing is kept.
    """

    roles = {"POST": Role.ADMIN}
    bodies = {"POST": ScopeTrialBody}

    @describe("Try a scope profile", refusals={400: ["There is no scope profile here. Save one first."]})
    def post(self, request: Request, subject_id: str) -> Answer[answers.ScopeTrial]:
        profiles = self._read_profiles(subject_id)
        body = self.read_body()
        before = tuple(EarlierMessage(message["role"], message["text"]) for message in body["before"])
        focus = tuple(trials.read_focus(self._fetch_document(document_id)) for document_id in body["focus"])
        documents = [self._fetch_document(document_id) for document_id in body["documents"]]
        trial = trials.try_profiles(profiles, requests_check.Request(body["message"], before, focus), documents)
        judged = trial.documents
        return Answer(
            {
                "request": _describe_verdict(trial.verdict),
                "documents": [{"document_id": row.pk, **_describe_verdict(verdict)} for row, verdict in judged],
            }
        )

    def _read_profiles(self, subject_id: str) -> list[Profile]:
        subject = profile_rows.fetch_subject(self.actor.organization, subject_id)
        profiles = profile_rows.list_profiles_of(self.actor.organization, subject)
        if not profiles:
            raise Invalid("There is no scope profile here. Save one first.")
        return profiles

    def _fetch_document(self, document_id: str) -> Document:
        return fetch(self.actor, Document.objects.select_related("document_type"), document_id, noun="Document")


def _describe_row(row: ScopeProfile) -> answers.ScopeProfileRow:
    subject: AccessToken | McpClient | None = row.token or row.client
    return {
        "subject": subject.pk if subject else "organization",
        "subject_name": subject.name if subject else row.organization.name,
        "mode": row.mode,
        "sentence": row.sentence,
        "types": row.types,
        "tags": row.tags,
        "tags_mode": "required" if row.tags_mode == ScopeProfile.TagsMode.REQUIRED else "hint",
        "tags_never": row.tags_never,
        "topics": row.topics,
        "always": row.always,
        "never": row.never,
        "refusal": row.refusal,
        "updated_at": format_timestamp(row.updated_at),
    }


def _describe_verdict(verdict: Verdict) -> answers.ScopeVerdict:
    return {"outcome": verdict.outcome, "rule": verdict.rule, "reason": verdict.reason, "words": verdict.words}
