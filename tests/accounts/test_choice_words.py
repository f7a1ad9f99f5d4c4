"""Choices in the administration read as words, and not as the values that are stored."""

from __future__ import annotations

from django.apps import apps

OURS = ("accounts", "documents", "agent")


def test_no_choice_is_a_stored_value_with_capitals() -> None:
    raw = [
        f"{model.__name__}.{field.name}: {label}"
        for model in apps.get_models()
        if model._meta.app_label in OURS
        for field in model._meta.get_fields()
        for value, label in getattr(field, "choices", None) or ()
        if "_" in str(value) and str(label) == str(value).replace("_", " ").title()
    ]
    assert raw == []
