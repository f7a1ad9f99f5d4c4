from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from django import forms
from django.core.exceptions import ValidationError
from django.db import models

if TYPE_CHECKING:
    _TextField = models.Field[Any, Any]
else:
    _TextField = models.TextField


class OrderedJSONField(_TextField):
    """JSON kept as text. PostgreSQL's jsonb sorts the names of an object, and the order of a schema's fields is theirs.

    Cannot be searched by what is inside.
    """

    holds_json = True

    def from_db_value(self, value: str | None, *args: object) -> object:
        return None if value is None else json.loads(value)

    def get_prep_value(self, value: object) -> str | None:
        return None if value is None else json.dumps(value, ensure_ascii=False)

    def to_python(self, value: object) -> object:
        if not isinstance(value, str):
            return value
        try:
            return json.loads(value)
        except ValueError as error:
            raise ValidationError("This is no JSON.") from error

    def value_to_string(self, obj: models.Model) -> str:
        return self.get_prep_value(self.value_from_object(obj)) or ""

    def formfield(self, *args: object, **kwargs: object) -> Any:
        return forms.JSONField(required=not self.blank, label=self.verbose_name, help_text=self.help_text)
