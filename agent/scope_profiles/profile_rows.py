"""Scope profiles as rows: saved by admins, read for the checks. Where several hold, each has to let something pass."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from django.db import transaction
from django.db.models import QuerySet

from accounts.actor import Actor
from accounts.models import AccessToken, Organization, Role
from accounts.services import audit
from agent.models import McpClient, ScopeProfile
from agent.scope_profiles.items import Item, check_item
from agent.scope_profiles.profile import Profile
from agent.scope_profiles.requests import Request, check_request
from agent.scope_profiles.verdicts import Verdict, join_verdicts
from documents.models import Tag
from documents.types import catalogue
from documents.values.patterns import find_pattern_problem
from kit.errors import Invalid, NotFound, Problem

MAX_SENTENCE = 1000
MAX_REFUSAL = 500
MAX_ENTRIES = 50
MAX_TOPIC = 100
LISTS = ("types", "tags", "tags_never", "topics", "always", "never")
Subject = AccessToken | McpClient | None


def list_profiles(organization: Organization) -> QuerySet[ScopeProfile]:
    profiles = ScopeProfile.objects.for_org(organization).select_related("organization", "token", "client")
    return profiles.order_by("created_at", "pk")


def fetch_subject(organization: Organization, subject_id: str) -> Subject:
    """The organization itself for "organization", else its access token or MCP client of this id."""
    if subject_id == "organization":
        return None
    token = AccessToken.objects.filter(organization=organization, pk=subject_id).first()
    client = McpClient.objects.for_org(organization).filter(pk=subject_id).first()
    if token is None and client is None:
        raise NotFound("Access token or MCP client not found")
    return token or client


def find_profile(organization: Organization, subject: Subject) -> ScopeProfile | None:
    return list_profiles(organization).filter(**_name_subject(subject)).first()


def list_profiles_of(organization: Organization, subject: Subject) -> list[Profile]:
    """The subject's own, that of a client's token, and the organization's: they hold together."""
    own = find_profile(organization, subject)
    return [*([read_profile(own)] if own else []), *_list_broader_profiles(organization, subject)]


def _list_broader_profiles(organization: Organization, subject: Subject) -> list[Profile]:
    token = subject.token if isinstance(subject, McpClient) else None
    subjects = dict.fromkeys(each for each in (token, None) if each != subject)
    rows = [find_profile(organization, each) for each in subjects]
    return [read_profile(row) for row in rows if row]


@transaction.atomic
def save_profile(actor: Actor, *, subject: Subject, **changes: object) -> ScopeProfile:
    """Changes of the row's fields by name; the rest stays. Raises Invalid with every problem, Denied below admin."""
    actor.require(Role.ADMIN)
    row = _lock_row(actor.organization, subject)
    if changed := _change_row(row, changes):
        row.updated_by = actor.user
        row.save()
        audit.record(actor, "changed", row, fields=changed)
    return row


def draft_profiles(actor: Actor, *, subject: Subject, **changes: object) -> list[Profile]:
    """The profiles that would hold for the subject after `save_profile` with these changes. Nothing is kept."""
    row = find_profile(actor.organization, subject) or ScopeProfile(
        organization=actor.organization, **_name_subject(subject)
    )
    _change_row(row, changes)
    return [read_profile(row), *_list_broader_profiles(actor.organization, subject)]


@transaction.atomic
def remove_profile(actor: Actor, *, subject: Subject) -> None:
    actor.require(Role.ADMIN)
    row = find_profile(actor.organization, subject)
    if row is None:
        raise NotFound("Scope profile not found")
    audit.record(actor, "removed", row)
    row.delete()


def read_profile(row: ScopeProfile) -> Profile:
    names = _read_tag_names(row)
    return Profile(
        sentence=row.sentence,
        types=tuple(row.types),
        tags=tuple(names[tag] for tag in row.tags if tag in names),
        tags_mode="required" if row.tags_mode == ScopeProfile.TagsMode.REQUIRED else "hint",
        tags_never=tuple(names[tag] for tag in row.tags_never if tag in names),
        topics=tuple(row.topics),
        always=tuple(row.always),
        never=tuple(row.never),
        mode="gentle" if row.mode == ScopeProfile.Mode.GENTLE else "strict",
        refusal=row.refusal,
    )


def judge_request(profiles: Sequence[Profile], request: Request) -> Verdict:
    """By all of them: the narrower holds."""
    return join_verdicts([check_request(profile, request) for profile in profiles])


def judge_item(profiles: Iterable[Profile], item: Item) -> Verdict:
    return join_verdicts([check_item(profile, item) for profile in profiles])


def _name_subject(subject: Subject) -> dict[str, Subject]:
    return {
        "token": subject if isinstance(subject, AccessToken) else None,
        "client": subject if isinstance(subject, McpClient) else None,
    }


def _lock_row(organization: Organization, subject: Subject) -> ScopeProfile:
    names = _name_subject(subject)
    # The organization's row is locked, since a profile that is not there yet cannot be.
    Organization.objects.select_for_update().get(pk=organization.pk)
    row = ScopeProfile.objects.for_org(organization).filter(**names).first()
    return row or ScopeProfile(organization=organization, **names)


def _change_row(row: ScopeProfile, changes: Mapping[str, object]) -> list[str]:
    """Give the names of what changed. Raises Invalid with every problem."""
    changed = sorted(name for name, value in changes.items() if getattr(row, name) != value)
    for name in changed:
        setattr(row, name, changes[name])
    if problems := [*_find_text_problems(row), *_find_list_problems(row)]:
        raise Invalid(" ".join(f"{problem.where} {problem.message}." for problem in problems), problems=problems)
    return changed


def _read_tag_names(row: ScopeProfile) -> dict[str, str]:
    ids = [*row.tags, *row.tags_never]
    return dict(Tag.objects.for_org(row.organization).filter(pk__in=ids).values_list("pk", "name")) if ids else {}


def _find_text_problems(row: ScopeProfile) -> Iterable[Problem]:
    for where, maximum in (("sentence", MAX_SENTENCE), ("refusal", MAX_REFUSAL)):
        if (length := len(getattr(row, where))) > maximum:
            yield Problem(where, f"has {length} characters; {maximum} is the most")
    if not row.sentence.strip():
        yield Problem("sentence", "is empty; say what the agent is for")
    if row.mode not in ScopeProfile.Mode.values:
        yield Problem("mode", f"must be one of {', '.join(ScopeProfile.Mode.values)}")
    if row.tags_mode not in ScopeProfile.TagsMode.values:
        yield Problem("tags_mode", f"must be one of {', '.join(ScopeProfile.TagsMode.values)}")


def _find_list_problems(row: ScopeProfile) -> Iterable[Problem]:
    for where in LISTS:
        if (count := len(getattr(row, where))) > MAX_ENTRIES:
            yield Problem(where, f"has {count} entries; {MAX_ENTRIES} is the most")
    for where in ("always", "never"):
        for pattern in getattr(row, where)[:MAX_ENTRIES]:
            if problem := find_pattern_problem(pattern) or ("" if pattern else "is empty"):
                yield Problem(where, f"has a pattern that {problem}: {pattern[:MAX_TOPIC]}")
    if long := [topic for topic in row.topics if not 1 <= len(topic) <= MAX_TOPIC]:
        yield Problem("topics", f"has one of {len(long[0])} characters; it must be 1 to {MAX_TOPIC}")
    yield from _find_name_problems(row)


def _find_name_problems(row: ScopeProfile) -> Iterable[Problem]:
    keys = set(catalogue.list_types(row.organization).values_list("key", flat=True))
    if unknown := [name for name in row.types if name not in keys]:
        yield Problem("types", f"names types that do not exist: {', '.join(unknown)}")
    names = _read_tag_names(row)
    for where in ("tags", "tags_never"):
        if unknown := [tag for tag in getattr(row, where) if tag not in names]:
            yield Problem(where, f"names tags that do not exist: {', '.join(unknown)}")
