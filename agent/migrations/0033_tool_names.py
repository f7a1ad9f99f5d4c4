"""Tools whose names were verbs alone are called by a verb and its noun: rows that hold a name take the new one."""

from __future__ import annotations

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

NAMES = {
    "calculate": "calculate_expression",
    "check": "check_values",
    "restore": "restore_documents",
    "verify": "verify_values",
}
COLUMNS = ("ToolCall", "Rule", "McpRequest")
LISTS = (("AgentSettings", "disabled_tools"), ("Turn", "auto_approved"))
ADDED = "tools"


def rename(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    for model in COLUMNS:
        for old, new in NAMES.items():
            apps.get_model("agent", model).objects.filter(tool=old).update(tool=new)
    for model, column in LISTS:
        rows = apps.get_model("agent", model).objects.exclude(**{column: []})
        for row in rows.only("pk", column).iterator():
            names = [NAMES.get(name, name) for name in getattr(row, column)]
            if names != getattr(row, column):
                rows.filter(pk=row.pk).update(**{column: names})
    threads = apps.get_model("agent", "Thread").objects
    for row in threads.filter(working_state__has_key=ADDED).only("pk", "working_state").iterator():
        added = str(row.working_state[ADDED]).split()
        names = [NAMES.get(name, name) for name in added]
        if names != added:
            threads.filter(pk=row.pk).update(working_state={**row.working_state, ADDED: " ".join(names)})


class Migration(migrations.Migration):
    dependencies = [("agent", "0032_scope_checks")]
    operations = [migrations.RunPython(rename, migrations.RunPython.noop)]
