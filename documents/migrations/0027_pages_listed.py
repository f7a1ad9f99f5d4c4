from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def count_listed(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Until now a page had a row once it was read."""
    readings = apps.get_model("documents", "Reading").objects
    readings.filter(pages_read__gt=0).update(pages_listed=models.F("pages_read"))


class Migration(migrations.Migration):
    dependencies = [("documents", "0026_value_checks")]
    operations = [
        migrations.AddField(
            model_name="reading",
            name="pages_listed",
            field=models.PositiveIntegerField(default=0, verbose_name="pages that have a row, read or waiting to be"),
        ),
        migrations.AlterField(
            model_name="page",
            name="engine",
            field=models.CharField(blank=True, help_text="Empty until something has read the page.", max_length=40),
        ),
        migrations.RunPython(count_listed, migrations.RunPython.noop, elidable=True),
    ]
