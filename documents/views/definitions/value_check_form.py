"""One form for each kind of value check, made of its parameters."""

from __future__ import annotations

from typing import Any

from django import forms

from documents.checks.parameters import Parameter, ParameterType
from documents.checks.schema_paths import SchemaPath, SchemaPaths
from documents.checks.value_check import ValueCheck
from kit.json_types import Json, JsonObject

MAX_LETTERS = 50_000


class ValueCheckForm(forms.Form):
    """`read_config` is what was chosen, as the services take it: they say what is wrong with it.

    `seen` is the state of the checks that the form was made from.
    """

    seen = forms.CharField(max_length=40, required=False, widget=forms.HiddenInput)

    def __init__(self, kind: type[ValueCheck], paths: SchemaPaths, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.kind = kind
        for parameter in kind.parameters:
            self.fields[parameter.name] = _make_field(parameter, paths)

    def read_config(self) -> JsonObject:
        values = {each.name: _read_value(each, self.cleaned_data.get(each.name)) for each in self.kind.parameters}
        return {"kind": self.kind.kind, **{name: value for name, value in values.items() if value not in ("", [])}}


def make_initial(config: JsonObject) -> dict[str, Json]:
    """What a stored check has in its form: choices stand one a line."""
    return {name: "\n".join(value) if name == "choices" else value for name, value in config.items()}


def _make_field(parameter: Parameter, paths: SchemaPaths) -> forms.Field:
    about: dict[str, Any] = {"label": parameter.title, "required": False, "help_text": parameter.help}
    if parameter.is_path:
        choices = [(path.path, _describe_path(path, paths)) for path in paths.all.values() if parameter.fits(path)]
        if parameter.many:
            return forms.MultipleChoiceField(choices=choices, widget=forms.CheckboxSelectMultiple, **about)
        return forms.ChoiceField(choices=[("", "Choose a field"), *choices], widget=_SELECT, **about)
    if parameter.options:
        return forms.ChoiceField(choices=parameter.options, widget=_SELECT, **about)
    is_long = parameter.type in (ParameterType.CHOICES, ParameterType.EXPRESSION)
    widget = forms.Textarea(attrs={"rows": 4, **_INPUT}) if is_long else forms.TextInput(attrs=_INPUT)
    return forms.CharField(max_length=MAX_LETTERS, widget=widget, **about)


def _describe_path(path: SchemaPath, paths: SchemaPaths) -> str:
    outer = path.path.rpartition(".")[0]
    return f"{paths.title_of(outer)} · {path.title}" if outer else path.title


def _read_value(parameter: Parameter, value: object) -> Json:
    if parameter.type is ParameterType.CHOICES:
        return [line.strip() for line in str(value or "").splitlines() if line.strip()]
    return value if value is not None else ""


_INPUT = {"class": "input"}
_SELECT = forms.Select(attrs=_INPUT)
