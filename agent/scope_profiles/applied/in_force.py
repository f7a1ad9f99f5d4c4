"""The scope profiles that hold for a turn: the organization's, that of its access token and of its MCP client."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.models import Organization
from agent.models import McpClient, ScopeProfile, Turn
from agent.scope_profiles.items import Item
from agent.scope_profiles.profile import Profile
from agent.scope_profiles.profile_rows import judge_item, judge_request, read_profile
from agent.scope_profiles.requests import Request
from agent.scope_profiles.verdicts import IN, OUT, Verdict
from kit.rows.fixed_select import FixedSelect

APPLIED = (ScopeProfile.Mode.GENTLE, ScopeProfile.Mode.STRICT)
MAX_SHARED = 256


@dataclass(frozen=True)
class Scope:
    """Each of the profiles has to let something pass. Where one is strict, what is foreign refuses the whole answer."""

    organization: Organization
    profiles: Sequence[Profile]
    changed_at: datetime

    @property
    def is_strict(self) -> bool:
        return any(profile.mode == "strict" for profile in self.profiles)

    @property
    def reads_tags(self) -> bool:
        """Whether any profile judges an item by its tags."""
        return any(profile.tags_never or profile.tags_mode == "required" for profile in self.profiles)

    def judge_request(self, request: Request) -> Verdict:
        return judge_request(self.profiles, request)

    def judge_item(self, item: Item) -> Verdict:
        return judge_item(self.profiles, item)

    def lets_pass(self, item: Item) -> bool:
        return self.judge_item(item).outcome == IN

    def find_refusing_request(self, request: Request) -> Profile:
        return next((each for each in self.profiles if judge_request([each], request).outcome == OUT), self.profiles[0])

    def find_refusing(self, item: Item) -> Profile:
        """The first profile that does not let the item pass."""
        return next((each for each in self.profiles if judge_item([each], item).outcome != IN), self.profiles[0])

    def find_never(self, text: str) -> str:
        """The first pattern of any profile that never passes and that the text has."""
        return next((pattern for profile in self.profiles if (pattern := profile.matches_never(text))), "")


def make_has_scope(organization: str) -> dict[str, Exists]:
    """The annotation of the statement that claims a turn or call: whether any profile is in force there."""
    return {"has_scope": Exists(ScopeProfile.objects.filter(organization=OuterRef(organization), mode__in=APPLIED))}


def find_scope(turn: Turn) -> Scope | None:
    """None where no profile holds for the turn. It is read once after each claim, so a change holds from the next."""
    if turn.has_scope is False:
        return None
    if not isinstance(turn.scope_in_force, Scope):
        scope = turn.scope_in_force = _read_scope(turn)
        turn.has_scope = scope is not None
        return scope
    return turn.scope_in_force


def _read_scope(turn: Turn) -> Scope | None:
    organization = turn.thread.organization
    rows = _select_in_force.list(organization.pk, turn.token_id or "", turn.client_id or "")
    for row in rows:
        row.organization = organization
    profiles = [_share_profile(read_profile(row)) for row in rows]
    return Scope(organization, profiles, max(row.updated_at for row in rows)) if rows else None


@FixedSelect
def _select_in_force(organization: str, token: str, client: str) -> QuerySet[ScopeProfile]:
    """The organization's, and where they are given those of an access token, an MCP client and its token."""
    of_client = McpClient.objects.filter(pk=client).values("token")
    holds = Q(token=None, client=None) | Q(token=token) | Q(client=client) | Q(token__in=of_client)
    rows = ScopeProfile.objects.filter(holds, organization=organization, mode__in=APPLIED)
    return rows.order_by("created_at", "pk")


@lru_cache(MAX_SHARED)
def _share_profile(profile: Profile) -> Profile:
    """One for all that are equal, since it keeps what its words mean."""
    return profile
