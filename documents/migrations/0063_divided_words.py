"""Pages with words that are divided at the end of a line are indexed anew, with each of these as a whole."""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps
from django.db.models import Q

DIVIDED = Q(text__contains="-\n") | Q(text__contains="\u2010\n") | Q(text__contains="\u00ad")


def index_anew(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    divided = apps.get_model("documents", "Page").objects.filter(DIVIDED).values("reading")
    readings = apps.get_model("documents", "Reading").objects.filter(status="completed", indexing="done")
    readings.filter(pk__in=divided).update(indexing="waiting")


class Migration(migrations.Migration):
    dependencies = [("documents", "0062_gaps_of_a_reading")]

    operations = [migrations.RunPython(index_anew, migrations.RunPython.noop, elidable=True)]
