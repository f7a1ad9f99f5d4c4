"""The scope profiles that hold for a turn: the organization's, that of its access token and of its MCP client."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, OuterRef, Q

from accounts.models import Organization
from agent.models import ScopeProfile, Turn
from agent.scope_profiles.items import Item
from agent.scope_profiles.profile import Profile
from agent.scope_profiles.profile_rows import judge_item, judge_request, read_profile
from agent.scope_profiles.requests import Request
from agent.scope_profiles.verdicts import IN, OUT, Verdict

APPLIED = (ScopeProfile.Mode.GENTLE, ScopeProfile.Mode.STRICT)


@dataclass(frozen=True)
class Scope:
    """Each of the profiles has to let something pass. Where one is strict, what is foreign refuses the whole answer."""

    organization: Organization
    profiles: Sequence[Profile]
    changed_at: datetime

    @property
    def is_strict(self) -> bool:
        return any(profile.mode == "strict" for profile in self.profiles)

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
    """None where no profile holds for the turn, which its calls then need not look up again."""
    if turn.has_scope is False:
        return None
    organization = turn.thread.organization
    holds = Q(token=None, client=None) | Q(token__isnull=False, token=turn.token_id)
    holds |= Q(client__isnull=False, client=turn.client_id) | Q(token__mcp_clients=turn.client_id or "")
    rows = ScopeProfile.objects.for_org(organization).filter(holds, mode__in=APPLIED)
    in_force = list(rows.select_related("organization").order_by("created_at", "pk"))
    turn.has_scope = bool(in_force)
    if not in_force:
        return None
    return Scope(organization, [read_profile(row) for row in in_force], max(row.updated_at for row in in_force))
