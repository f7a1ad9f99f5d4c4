"""The layout that a person chose last for results of a schema, or of any."""

from __future__ import annotations

from accounts.actor import Actor
from documents.models import ResultChoice
from documents.results.layout import ResultLayout
from kit.json_types import JsonObject


def keep_layout(actor: Actor, layout: ResultLayout) -> None:
    """The format, form and columns."""
    ResultChoice.objects.update_or_create(
        organization=actor.organization,
        user=actor.user,
        schema_id=layout.schema_id or None,
        defaults={"layout": layout.as_json()},
    )


def read_layout(actor: Actor, schema_id: str = "") -> ResultLayout:
    rows = ResultChoice.objects.for_org(actor.organization).filter(user=actor.user, schema=schema_id or None)
    choice = rows.first()
    if choice is None:
        return ResultLayout(schema_id=schema_id)
    kept: JsonObject = {name: value for name, value in choice.layout.items() if name != "columns"}
    return ResultLayout(**kept, columns=tuple(choice.layout.get("columns", ())))
