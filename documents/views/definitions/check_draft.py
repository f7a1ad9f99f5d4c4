"""The checks of a schema as one person changes them, until *Save version* makes one version of all changes.

They are kept in the session: nobody else sees them, and nothing judges by them.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from accounts.views.pages import PageRequest
from documents.checks.definitions import clean_checks
from documents.checks.proposing import propose_checks
from documents.definitions.check_changes import list_check_changes
from documents.definitions.schema_fields import FieldChange
from documents.models import SchemaRevision
from kit.errors import Conflict, Invalid
from kit.json_types import JsonObject

KEY = "check_drafts"
MAX_DRAFTS = 10
STALE = "These checks have been changed in another window. Look at them again."


@dataclass(frozen=True)
class CheckDraft:
    """`checks` are those of the revision `base` with the changes; `step` counts these. `lost` no longer fit."""

    base: SchemaRevision
    checks: list[JsonObject]
    step: int = 0
    lost: list[JsonObject] = field(default_factory=list)

    @property
    def seen(self) -> str:
        """Names this state, as a form sends it back."""
        return f"{self.base.pk}.{self.step}"

    @property
    def is_changed(self) -> bool:
        return bool(self.checks != self.base.value_checks)

    @property
    def changes(self) -> list[FieldChange]:
        schema = self.base.json_schema
        return list_check_changes(self.base.value_checks, self.checks, schema, schema) if self.is_changed else []

    @property
    def proposed(self) -> list[JsonObject]:
        return [check for check in propose_checks(self.base.json_schema) if check not in self.checks]

    def require_seen(self, seen: str) -> None:
        """Raises Conflict for a form that was made of another state; one that names none takes what there is."""
        if seen not in ("", self.seen):
            raise Conflict(STALE)

    def put(self, number: int, checks: list[JsonObject]) -> CheckDraft:
        """With `checks` in the place of the one with the number, counted from 1; at the end for 0. Raises Invalid."""
        changed = list(self.checks)
        at = number - 1 if number else len(changed)
        changed[at : at + 1] = checks
        return replace(self, checks=clean_checks(changed, self.base.json_schema), step=self.step + 1)


def read_draft(request: PageRequest, latest: SchemaRevision) -> CheckDraft:
    """The changes of this person on top of the latest revision: anything that others have saved meanwhile is kept."""
    stored = request.session.get(KEY, {}).get(latest.schema_id)
    if stored is None:
        return CheckDraft(latest, list(latest.value_checks))
    if stored["base"] == latest.pk:
        return CheckDraft(latest, stored["checks"], stored["step"])
    return _move_onto(latest, stored["before"], stored["checks"], stored["step"])


def _move_onto(latest: SchemaRevision, before: list[JsonObject], after: list[JsonObject], step: int) -> CheckDraft:
    kept = [check for check in latest.value_checks if check not in before or check in after]
    added = [check for check in after if check not in before and check not in kept]
    fitting = [check for check in added if _fits(check, latest)]
    return CheckDraft(latest, [*kept, *fitting], step + 1, [check for check in added if check not in fitting])


def _fits(check: JsonObject, revision: SchemaRevision) -> bool:
    try:
        clean_checks([check], revision.json_schema)
    except Invalid:
        return False
    return True


def keep_draft(request: PageRequest, draft: CheckDraft) -> None:
    """One that changes nothing any more is dropped. Of many schemas those that were changed last are kept."""
    drafts = request.session.get(KEY, {})
    drafts.pop(draft.base.schema_id, None)
    if draft.is_changed:
        drafts[draft.base.schema_id] = {
            "base": draft.base.pk,
            "before": draft.base.value_checks,
            "checks": draft.checks,
            "step": draft.step,
        }
    request.session[KEY] = dict(list(drafts.items())[-MAX_DRAFTS:])


def drop_draft(request: PageRequest, schema_id: str) -> None:
    drafts = request.session.get(KEY, {})
    if drafts.pop(schema_id, None) is not None:
        request.session[KEY] = drafts
