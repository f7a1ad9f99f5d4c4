"""What readers died of is offered to be read again: until now they died of what earlier files had used, too."""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

SENTENCES = (
    "Reading the file used more computing time than it may.",
    "The file made its reader crash: it is damaged, or needs more memory than reading may use.",
    "The file needs more memory than reading may use.",
)


def offer_again(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor | None) -> None:
    readings = apps.get_model("documents", "Reading").objects
    readings.filter(status="failed", is_permanent=True, reason__in=SENTENCES).update(is_permanent=False)
    documents = apps.get_model("documents", "Document").objects
    refused = [f"The files in it were not taken: {sentence}" for sentence in SENTENCES]
    documents.filter(unpacking="done", parts_reason__in=refused).update(unpacking="waiting", parts_reason="")


class Migration(migrations.Migration):
    dependencies = [("documents", "0055_models_that_order")]

    operations = [migrations.RunPython(offer_again, migrations.RunPython.noop, elidable=True)]
