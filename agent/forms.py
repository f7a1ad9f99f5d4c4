from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from decimal import Decimal
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator

from accounts.models import AuditEntry, Organization
from agent.calls.decisions import CardSnapshot
from agent.models import AgentSettings, Decision, Rule, Thread
from agent.policy.active_rules import ActiveRule
from agent.toolkit.registry import registry
from kit.errors import Invalid
from llm import models_catalogue
from llm.money.budgets import MICROS

PLAIN_SETTINGS = (
    "default_model",
    "allowed_models",
    "default_mode",
    "max_rounds",
    "tool_seconds",
    "research_seconds",
    "research_min_tokens",
    "rerank_model",
    "organization_instructions",
)
SETTINGS_BY_SUBJECT = {
    "model": ("default_model", "allowed_models"),
    "mode": ("default_mode",),
    "instructions": ("organization_instructions",),
    "limits": ("max_rounds", "turn_limit_usd", "tool_seconds", "research_seconds", "research_min_tokens"),
    "tools": ("tools",),
    "ranking": ("rerank_model",),
}
KINDS = [(kind.value, kind.value) for kind in (Decision.Kind.APPROVED, Decision.Kind.REJECTED)]
LIFETIMES = [("", "until revoked"), ("1", "for a day"), ("7", "for a week"), ("30", "for 30 days")]
MADE_SCOPES = [(Rule.Scope.USER.value, "my threads"), (Rule.Scope.ORGANIZATION.value, "everybody’s threads")]
MADE_VERDICTS = [
    (Rule.Verdict.ASK.value, "always ask first"),
    (Rule.Verdict.DENY.value, "never run it"),
    (Rule.Verdict.ALLOW.value, "always allow it"),
]
CLIENT = Rule.Scope.MCP.value
ASKERS = [
    (Rule.Occasion.ANY.value, "the agent"),
    (Rule.Occasion.ALONE.value, "the agent on its own"),
    (Rule.Occasion.ASKED.value, "the agent, asked by a person,"),
    (CLIENT, "an MCP client"),
]


# The day after the last date there is, or midnight of the first one in another time zone, is no date.
_DAYS = (MinValueValidator(date(1970, 1, 1)), MaxValueValidator(date(2999, 12, 31)))


class DecisionForm(forms.Form):
    """A card's answer. `version` and `shown_hash` say which face of the card was seen."""

    kind = forms.ChoiceField(choices=KINDS)
    version = forms.IntegerField(min_value=1)
    shown_hash = forms.CharField(max_length=64)
    idempotency_key = forms.CharField(max_length=100)
    reason = forms.CharField(required=False, max_length=2000)
    seen_ms = forms.IntegerField(required=False, min_value=0, max_value=2_000_000_000)


class DecideAllForm(forms.Form):
    """One answer for all cards of a page; what it showed of each comes as `card`: id:version:hash."""

    kind = forms.ChoiceField(choices=KINDS)
    idempotency_key = forms.CharField(max_length=60)
    reason = forms.CharField(required=False, max_length=2000)

    @staticmethod
    def cards(faces: Iterable[str]) -> list[CardSnapshot]:
        """Raises Invalid for what names no card."""
        parts = [each.split(":") for each in faces]
        if not parts or not all(len(part) == 3 and part[1].isdecimal() for part in parts):
            raise Invalid("Load the page again and decide the cards that it shows.")
        return [CardSnapshot(call_id, int(version), shown_hash) for call_id, version, shown_hash in parts]


class AllowForm(forms.Form):
    """Where a tool may always run, until when; and the card as it was seen."""

    scope = forms.ChoiceField(choices=Rule.Scope.choices)
    days = forms.TypedChoiceField(choices=LIFETIMES, coerce=int, required=False, empty_value=None)
    version = forms.IntegerField(min_value=1)
    shown_hash = forms.CharField(max_length=64)
    idempotency_key = forms.CharField(max_length=100)
    seen_ms = forms.IntegerField(required=False, min_value=0, max_value=2_000_000_000)


class RuleForm(forms.Form):
    """A rule as its sentence says it. `simulated` is the `key` of the rule whose simulation was on the page."""

    asker = forms.ChoiceField(choices=ASKERS, required=False)
    scope = forms.ChoiceField(choices=MADE_SCOPES)
    verdict = forms.ChoiceField(choices=MADE_VERDICTS)
    tool = forms.CharField(max_length=100)
    days = forms.TypedChoiceField(choices=LIFETIMES, coerce=int, required=False, empty_value=None)
    simulated = forms.CharField(max_length=150, required=False)

    @property
    def rule(self) -> ActiveRule:
        """After `is_valid`. MCP clients work in threads of their own, whoever they act for."""
        chosen = self.cleaned_data
        is_client = chosen["asker"] == CLIENT
        return ActiveRule(
            "",
            CLIENT if is_client else chosen["scope"],
            chosen["verdict"],
            chosen["tool"],
            Rule.Occasion.ANY if is_client else chosen["asker"],
        )

    @property
    def key(self) -> str:
        return " ".join(("rule", self.rule.scope, self.rule.verdict, self.rule.tool, self.rule.occasion)).strip()

    def is_simulated(self) -> bool:
        """Only for a rule that allows must the person have seen what it would have let run."""
        return self.rule.verdict != Rule.Verdict.ALLOW or self.cleaned_data["simulated"] == self.key


class KeyForm(forms.Form):
    idempotency_key = forms.CharField(max_length=100)


class ChainKeyForm(forms.Form):
    """Each step adds its number to the key."""

    idempotency_key = forms.CharField(max_length=60)


class AgentSettingsForm(forms.Form):
    """The settings as a page asks for them: dollars instead of micros, the tools that are on instead of those off.

    With a `subject` of SETTINGS_BY_SUBJECT only its fields.
    """

    default_model = forms.ChoiceField(required=False)
    allowed_models = forms.MultipleChoiceField(required=False)
    default_mode = forms.ChoiceField(choices=Thread.Mode.choices)
    max_rounds = forms.IntegerField(label="Rounds", required=False)
    turn_limit_usd = forms.DecimalField(label="Cost in dollars", required=False, max_digits=12, decimal_places=6)
    tool_seconds = forms.IntegerField(label="Seconds per tool call", required=False)
    research_seconds = forms.IntegerField(label="Seconds per research turn", required=False)
    research_min_tokens = forms.IntegerField(label="Context in tokens", required=False, min_value=1)
    rerank_model = forms.ChoiceField(required=False)
    tools = forms.MultipleChoiceField(required=False)
    organization_instructions = forms.CharField(required=False, strip=True)

    def __init__(self, organization: Organization, row: AgentSettings, data: Any = None, *, subject: str = "") -> None:
        super().__init__(data, initial=_initial(row))
        names = [model.name for model in models_catalogue.list_chat_models(organization)]
        self.fields["default_model"].choices = _choices(["", *names, row.default_model])  # type: ignore[attr-defined]
        self.fields["allowed_models"].choices = _choices([*names, *row.allowed_models])  # type: ignore[attr-defined]
        orders = [*(model.name for model in models_catalogue.list_rerankers(organization)), *names]
        self.fields["rerank_model"].choices = _choices(["", *orders, row.rerank_model])  # type: ignore[attr-defined]
        self.fields["tools"].choices = _choices(tool.name for tool in registry)  # type: ignore[attr-defined]
        if subject:
            self.fields = {name: self.fields[name] for name in SETTINGS_BY_SUBJECT[subject]}

    def changes(self) -> dict[str, object]:
        """For `agent_settings.change`, after `is_valid`."""
        changes: dict[str, object] = {name: self.cleaned_data[name] for name in PLAIN_SETTINGS if name in self.fields}
        if "turn_limit_usd" in self.fields:
            usd: Decimal | None = self.cleaned_data["turn_limit_usd"]
            changes["turn_limit_micros"] = None if usd is None else int(usd * MICROS)
        if "tools" in self.fields:
            changes["disabled_tools"] = sorted({tool.name for tool in registry} - set(self.cleaned_data["tools"]))
        return changes

    def refuse(self, error: Invalid) -> None:
        """Name the fields by their labels."""
        for problem in error.problems:
            name = "turn_limit_usd" if problem.where == "turn_limit_micros" else problem.where
            label = self.fields[name].label or self[name].label
            self.add_error(None, f"{label} {problem.message}.")


def _choices(names: Iterable[str]) -> list[tuple[str, str]]:
    return [(name, name) for name in dict.fromkeys(names)]


def _initial(row: AgentSettings) -> dict[str, object]:
    usd = None if row.turn_limit_micros is None else Decimal(row.turn_limit_micros) / MICROS
    on = [tool.name for tool in registry if tool.name not in row.disabled_tools]
    return {name: getattr(row, name) for name in PLAIN_SETTINGS} | {"turn_limit_usd": usd and f"{usd:.2f}", "tools": on}


class AuditFilters(forms.Form):
    """Which entries of the audit; what is empty does not narrow."""

    user_id = forms.CharField(required=False, max_length=24)
    origin = forms.ChoiceField(required=False, choices=[("", ""), *AuditEntry.Origin.choices])
    kind = forms.CharField(required=False, max_length=40)
    text = forms.CharField(required=False, max_length=60)
    since = forms.DateField(required=False, validators=_DAYS, input_formats=["%Y-%m-%d"])
    until = forms.DateField(required=False, validators=_DAYS, input_formats=["%Y-%m-%d"])


class OutsideServerForm(forms.Form):
    """An MCP server of others, by its address; what it is allowed to be, the service says."""

    name = forms.CharField(max_length=200)
    url = forms.CharField(label="Address", max_length=4000)
    header = forms.CharField(required=False, max_length=200)
    secret = forms.CharField(required=False, max_length=8000)


class OutsideToolForm(forms.Form):
    """A tool switched on as it was read, or off."""

    is_on = forms.TypedChoiceField(choices=[("on", "on"), ("off", "off")], coerce=lambda value: value == "on")
    digest = forms.CharField(required=False, max_length=64)
    only_fetches = forms.BooleanField(required=False)
