"""What an organization's admins set for the agent, over what the installation sets."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet

from accounts.actor import Actor
from accounts.models import Organization, Role
from accounts.services import audit
from agent.models import AgentSettings, Thread
from agent.toolkit.registry import registry
from kit.errors import Invalid, Problem
from kit.rows.fixed_select import FixedSelect
from llm import models_catalogue
from llm.money.budgets import MICROS

MAX_ROUNDS = 100
MAX_INSTRUCTIONS = 8000
MAX_SECONDS = {"tool_seconds": 600, "research_seconds": 3600}
MAX_TURN_MICROS = 1000 * MICROS


@dataclass(frozen=True)
class EffectiveSettings:
    """The settings of an organization's agent in effect now. `allowed_models` empty: every model that can be used."""

    default_model: str
    allowed_models: tuple[str, ...]
    max_rounds: int
    turn_limit_micros: int
    tool_seconds: int
    research_seconds: int
    research_min_tokens: int
    rerank_model: str
    scope_model: str
    default_mode: str
    disabled_tools: frozenset[str]
    organization_instructions: str

    def allows(self, model: str) -> bool:
        return not self.allowed_models or model in (*self.allowed_models, self.default_model)


@FixedSelect
def _select_row(organization: str) -> QuerySet[AgentSettings]:
    return AgentSettings.objects.filter(organization=organization)


def effective_settings(organization: Organization) -> EffectiveSettings:
    return _overlay(organization, _select_row.first(organization.pk) or AgentSettings())


def get_joined_settings(organization: Organization) -> EffectiveSettings:
    """Those that were read together with the organization, else as they are now. For what was read at this moment."""
    if "agent_settings" not in organization._state.fields_cache:
        return effective_settings(organization)
    return _overlay(organization, getattr(organization, "agent_settings", None) or AgentSettings())


def installation_settings(organization: Organization) -> EffectiveSettings:
    """The settings in effect where the organization's admins have set nothing."""
    return _overlay(organization, AgentSettings())


def _overlay(organization: Organization, row: AgentSettings) -> EffectiveSettings:
    return EffectiveSettings(
        default_model=row.default_model or settings.DEFAULT_MODEL,
        allowed_models=tuple(row.allowed_models),
        max_rounds=row.max_rounds or settings.TURN_MAX_ROUNDS,
        turn_limit_micros=row.turn_limit_micros or int(settings.TURN_BUDGET_USD * MICROS),
        tool_seconds=row.tool_seconds or settings.TOOL_SECONDS,
        research_seconds=row.research_seconds or settings.RESEARCH_SECONDS,
        research_min_tokens=row.research_min_tokens or 0,
        rerank_model=row.rerank_model,
        scope_model=row.scope_model or row.default_model or settings.DEFAULT_MODEL,
        default_mode=row.default_mode,
        disabled_tools=frozenset(row.disabled_tools),
        organization_instructions=row.organization_instructions,
    )


@transaction.atomic
def change(actor: Actor, **changes: object) -> AgentSettings:
    """Changes of the row's fields by name; the rest stays. Raises Invalid with every problem, Denied below admin."""
    actor.require(Role.ADMIN)
    row, _ = AgentSettings.objects.select_for_update().get_or_create(organization=actor.organization)
    changed = {name: value for name, value in changes.items() if getattr(row, name) != value}
    if not changed:
        return row
    for name, value in changed.items():
        setattr(row, name, value)
    _check(row, changed)
    row.updated_by = actor.user
    row.save()
    audit.record(actor, "changed", row, fields=sorted(changed))
    return row


def check_model(organization: Organization, model: str, effective: EffectiveSettings | None = None) -> None:
    """Raises Invalid for a model that cannot be used here, or that the organization's agent may not use."""
    models_catalogue.check_usable(model)
    effective = effective or effective_settings(organization)
    if not effective.allows(model):
        names = ", ".join(dict.fromkeys((effective.default_model, *effective.allowed_models)))
        raise Invalid(f"The agent of {organization.name} may not use {model}. It may use: {names}.", code="model")


def _check(row: AgentSettings, changed: Collection[str]) -> None:
    """Of what changes only: a model whose key went away meanwhile stands in nobody's way."""
    problems = [*_number_problems(row), *_name_problems(row)]
    if len(row.organization_instructions) > MAX_INSTRUCTIONS:
        message = f"has {len(row.organization_instructions)} characters; {MAX_INSTRUCTIONS} is the most"
        problems.append(Problem("organization_instructions", message))
    problems = [problem for problem in problems if problem.where in changed]
    if problems:
        raise Invalid(" ".join(f"{problem.where} {problem.message}." for problem in problems), problems=problems)


def _number_problems(row: AgentSettings) -> list[Problem]:
    problems = []
    if row.max_rounds is not None and not 1 <= row.max_rounds <= MAX_ROUNDS:
        problems.append(Problem("max_rounds", f"is {row.max_rounds}; it must be 1 to {MAX_ROUNDS}"))
    if row.turn_limit_micros is not None and not 0 < row.turn_limit_micros <= MAX_TURN_MICROS:
        problems.append(Problem("turn_limit_micros", f"must be more than $0 and at most ${MAX_TURN_MICROS // MICROS}"))
    for where, maximum in MAX_SECONDS.items():
        if (seconds := getattr(row, where)) is not None and not 1 <= seconds <= maximum:
            problems.append(Problem(where, f"is {seconds}; it must be 1 to {maximum}"))
    return problems


def _name_problems(row: AgentSettings) -> list[Problem]:
    problems = []
    if row.default_mode not in Thread.Mode.values:
        problems.append(Problem("default_mode", f"must be one of {', '.join(Thread.Mode.values)}"))
    if unknown := sorted(set(row.disabled_tools) - {tool.name for tool in registry}):
        problems.append(Problem("disabled_tools", f"names tools that do not exist: {', '.join(unknown)}"))
    for where, names in (
        ("default_model", [row.default_model]),
        ("rerank_model", [row.rerank_model]),
        ("scope_model", [row.scope_model]),
        ("allowed_models", row.allowed_models),
    ):
        problems += [problem for name in names if name and (problem := _model_problem(where, name))]
    return problems


def _model_problem(where: str, name: str) -> Problem | None:
    try:
        (models_catalogue.check_orders if where == "rerank_model" else models_catalogue.check_usable)(name)
    except Invalid as error:
        return Problem(where, f"cannot be {name}: {error.sentence.rstrip('.')}")
    return None
