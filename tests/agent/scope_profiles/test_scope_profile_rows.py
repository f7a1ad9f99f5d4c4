"""Scope profiles as rows: who saves them, what is refused, that the narrower holds, and trials over /v0."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from accounts.actor import Actor
from accounts.models import AccessToken, AuditEntry, Organization, Role
from agent.models import McpClient, ScopeProfile, Thread
from agent.scope_profiles import profile_rows
from agent.scope_profiles.requests import Request
from documents.models import Document, Tag
from documents.types import catalogue, telling
from kit.errors import Denied, Invalid, NotFound
from tests.conftest import ApiClient

pytestmark = pytest.mark.django_db
SENTENCE = "Suppliers' invoices and receipts."


@pytest.fixture
def token(actor: Actor) -> AccessToken:
    return AccessToken.objects.create(user=actor.user, organization=actor.organization, name="Script", digest="d")


@pytest.fixture
def client_row(actor: Actor, token: AccessToken) -> McpClient:
    thread = Thread.objects.create(organization=actor.organization, owner=actor.user)
    return McpClient.objects.create(
        organization=actor.organization, user=actor.user, token=token, name="Desk", thread=thread
    )


def save(actor: Actor, subject: profile_rows.Subject = None, **fields: object) -> ScopeProfile:
    changes = {"sentence": SENTENCE, "types": ["invoice"]} | fields
    return profile_rows.save_profile(actor, subject=subject, **changes)


def judge(actor: Actor, subject: profile_rows.Subject, text: str) -> str:
    profiles = profile_rows.list_profiles_of(actor.organization, subject)
    return profile_rows.judge_request(profiles, Request(text)).outcome


def test_a_profile_is_saved_once_a_subject_and_its_changes_stand_in_the_audit(actor: Actor) -> None:
    row = save(actor)
    assert save(actor, types=["invoice", "receipt"]).pk == row.pk
    save(actor, types=["invoice", "receipt"])
    entries = AuditEntry.objects.filter(target_kind="scope profile").order_by("created_at", "pk")
    assert [entry.detail["fields"] for entry in entries] == [["sentence", "types"], ["types"]]
    assert ScopeProfile.objects.get().mode == "off"
    profile_rows.remove_profile(actor, subject=None)
    assert not ScopeProfile.objects.exists()
    with pytest.raises(NotFound):
        profile_rows.remove_profile(actor, subject=None)


@pytest.mark.parametrize(
    ("fields", "where"),
    [
        ({"sentence": " "}, "sentence"),
        ({"sentence": "x" * 1001}, "sentence"),
        ({"refusal": "x" * 501}, "refusal"),
        ({"mode": "loud"}, "mode"),
        ({"tags_mode": "all"}, "tags_mode"),
        ({"types": ["poem"]}, "types"),
        ({"tags": ["nobody"]}, "tags"),
        ({"tags_never": ["nobody"]}, "tags_never"),
        ({"topics": [""]}, "topics"),
        ({"topics": ["x"] * 51}, "topics"),
        ({"never": ["("]}, "never"),
        ({"never": [""]}, "never"),
        ({"always": ["(a+)+b"]}, "always"),
    ],
)
def test_what_cannot_be_checked_is_refused(actor: Actor, fields: dict[str, object], where: str) -> None:
    with pytest.raises(Invalid) as refused:
        save(actor, None, **fields)
    assert where in {problem.where for problem in refused.value.problems}
    assert not ScopeProfile.objects.exists()


def test_only_admins_save_and_remove(actor: Actor, member: Callable[[Role], Actor]) -> None:
    save(actor)
    builder = member(Role.BUILDER)
    with pytest.raises(Denied):
        save(builder, sentence="Anything")
    with pytest.raises(Denied):
        profile_rows.remove_profile(builder, subject=None)


def test_tokens_and_clients_narrow_what_the_organization_allows(
    actor: Actor, token: AccessToken, client_row: McpClient
) -> None:
    save(actor, types=["invoice", "receipt"])
    assert judge(actor, client_row, "Show the receipts") == "in"
    save(actor, token, types=["invoice", "contract"])
    assert judge(actor, client_row, "Show the receipts") == "out"
    assert judge(actor, token, "Show the contracts") == "out"
    assert judge(actor, token, "Show the invoices") == "in"
    save(actor, client_row, never=["secret"])
    assert judge(actor, client_row, "Show the secret invoices") == "out"
    assert judge(actor, token, "Show the secret invoices") == "in"
    assert judge(actor, None, "Show the receipts") == "in"


def test_subjects_of_other_organizations_are_not_found(
    actor: Actor, token: AccessToken, other_organization: Organization
) -> None:
    assert profile_rows.fetch_subject(actor.organization, token.pk) == token
    with pytest.raises(NotFound):
        profile_rows.fetch_subject(other_organization, token.pk)


def test_an_admin_saves_and_tries_one_over_v0(
    api_as: Callable[[Actor], ApiClient], actor: Actor, organization: Organization, document: Document
) -> None:
    api = api_as(actor)
    base = f"/v0/orgs/{organization.pk}/scope_profiles"
    tag = Tag.objects.create(organization=organization, name="draft")
    body = {"sentence": SENTENCE, "types": ["invoice"], "tags_never": [tag.pk], "never": ["secret"]}
    saved = api.put(f"{base}/organization", body)
    assert (saved.status_code, saved.json()["subject"], saved.json()["mode"]) == (200, "organization", "off")
    assert api.put(f"{base}/organization", body | {"mode": "loud"}).status_code == 422
    assert api.get(base).json()["scope_profiles"] == [saved.json()]

    telling.set_type(actor, document=document, document_type=catalogue.find_type(organization, "contract"))
    asked = {"message": "and the second one?", "focus": [document.pk], "documents": [document.pk]}
    tried = api.post(f"{base}/organization/try", asked).json()
    assert tried["request"]["outcome"] == "out" and tried["request"]["rule"] == "context"
    assert [(each["outcome"], each["rule"]) for each in tried["documents"]] == [("out", "type")]

    telling.set_type(actor, document=document, document_type=catalogue.find_type(organization, "invoice"))
    assert api.post(f"{base}/organization/try", asked).json()["documents"][0]["outcome"] == "in"
    document.tags.add(tag)
    assert api.post(f"{base}/organization/try", asked).json()["documents"][0]["rule"] == "tag"
    assert api.delete(f"{base}/organization").status_code == 204
    assert api.post(f"{base}/organization/try", asked).status_code == 400
