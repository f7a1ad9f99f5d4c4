"""A scope profile as its page asks for it: lists of words as lines, the rest as it is kept."""

from __future__ import annotations

from collections.abc import Iterable

from django import forms
from django.http import QueryDict

from agent.models import ScopeProfile
from agent.scope_profiles.profile_rows import LISTS
from kit.errors import Invalid

LINES = ("topics", "always", "never")
TICKS = tuple(name for name in LISTS if name not in LINES)
LABELS = {
    "sentence": "In one sentence",
    "types": "Allowed types",
    "tags": "Allowed tags",
    "tags_never": "Excluded tags",
    "topics": "Topics",
    "always": "Always passes",
    "never": "Never passes",
    "mode": "Mode",
    "refusal": "Refusal",
}
"""The service says what is wrong with a value, so that the page and /v0 refuse the same."""


class _TicksField(forms.Field):
    """Values of ticked boxes; the service knows which there are."""

    widget = forms.SelectMultiple

    def clean(self, value: Iterable[str] | None) -> list[str]:
        return list(dict.fromkeys(value or ()))


class _LinesField(forms.CharField):
    def clean(self, value: str) -> list[str]:
        lines = (line.strip() for line in str(super().clean(value)).splitlines())
        return list(dict.fromkeys(line for line in lines if line))


class ScopeForm(forms.Form):
    mode = forms.CharField(required=False)
    sentence = forms.CharField(required=False)
    types = _TicksField(required=False)
    topics = _LinesField(required=False)
    tags = _TicksField(required=False)
    needs_tag = forms.BooleanField(required=False)
    tags_never = _TicksField(required=False)
    always = _LinesField(required=False)
    never = _LinesField(required=False)
    refusal = forms.CharField(required=False)

    def __init__(self, row: ScopeProfile, data: QueryDict | None = None) -> None:
        super().__init__(data, initial=_read_row(row), label_suffix="")
        for name, label in LABELS.items():
            self.fields[name].label = label

    def changes(self) -> dict[str, object]:
        """After `is_valid`, for the service."""
        cleaned = dict(self.cleaned_data)
        needs_tag = cleaned.pop("needs_tag")
        modes = ScopeProfile.TagsMode
        return cleaned | {
            "mode": cleaned["mode"] or ScopeProfile.Mode.OFF,
            "tags_mode": modes.REQUIRED if needs_tag else modes.HINT,
        }

    def refuse(self, error: Invalid) -> None:
        for problem in error.problems:
            self.add_error(problem.where if problem.where in self.fields else None, f"It {problem.message}.")
        if not error.problems:
            self.add_error(None, error.sentence)


def _read_row(row: ScopeProfile) -> dict[str, object]:
    lines = {name: "\n".join(getattr(row, name)) for name in LINES}
    return {
        **{name: getattr(row, name) for name in ("mode", "sentence", "refusal", *TICKS)},
        **lines,
        "needs_tag": row.tags_mode == ScopeProfile.TagsMode.REQUIRED,
    }
