"""The laws of docs/invariants.md name functions and tests that exist, and models name states that exist."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.db.models import Field, Model, Q

ROOT = Path(__file__).resolve().parents[2]
LAWS = [
    [cell.strip() for cell in line.split("|")[1:-1]]
    for line in (ROOT / "docs/invariants.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("| ") and not line.startswith("| law ")
]
MODELS = [
    model
    for model in apps.get_models()
    if model.__module__.partition(".")[0] in ("accounts", "agent", "documents", "llm")
]


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law[0])
def test_a_law_names_its_function_and_its_test(law: list[str]) -> None:
    sentence, function, test, why = law
    assert sentence.endswith(".") and why.endswith(".")
    assert is_there(function.strip("`")), f"There is no {function}."
    path, _, name = test.strip("`").partition("::")
    text = (ROOT / path).read_text(encoding="utf-8") if (ROOT / path).is_file() else ""
    assert re.search(rf"^(?:async )?def {name}\(", text, re.M), f"There is no {test}."


def is_there(name: str) -> bool:
    module, _, last = name.rpartition(".")
    path = ROOT.joinpath(*name.split("."))
    return path.with_suffix(".py").is_file() or hasattr(importlib.import_module(module), last)


def conditions_of(model: type[Model]) -> Iterator[Q]:
    rows = [*model._meta.constraints, *model._meta.indexes]
    return (row.condition for row in rows if getattr(row, "condition", None) is not None)


def comparisons_in(condition: Q) -> Iterator[tuple[str, list[Any]]]:
    for child in condition.children:
        if isinstance(child, Q):
            yield from comparisons_in(child)
        else:
            name, _, lookup = child[0].partition("__")
            if lookup in ("", "exact", "in"):
                yield name, list(child[1]) if lookup == "in" else [child[1]]


def choices_of(field: Field[Any, Any]) -> set[Any]:
    return {value for value, _ in field.flatchoices}


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_constraints_and_indexes_name_states_of_the_model(model: type[Model]) -> None:
    """Their words are kept in migrations, so they stand as text; a typing error would be an index that never counts."""
    for condition in conditions_of(model):
        for name, values in comparisons_in(condition):
            choices = choices_of(model._meta.get_field(name))
            assert not choices or set(values) <= choices, f"{model.__name__}.{name}: {set(values) - choices}"


@pytest.mark.parametrize(
    "model", [model for model in MODELS if hasattr(model, "TRANSITIONS")], ids=lambda model: model.__name__
)
def test_transitions_name_states_of_the_model(model: Any) -> None:
    states = set(model.Status.values)
    assert states >= set(model.TRANSITIONS) | set().union(*model.TRANSITIONS.values())
    for group in ("LIVE", "TERMINAL", "SETTLED", "WITHOUT_EFFECT"):
        assert states >= set(getattr(model, group, ()))
