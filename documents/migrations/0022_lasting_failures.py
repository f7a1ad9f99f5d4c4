from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def mark_failures(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """What failed once and for all says nothing of several tries."""
    failed = apps.get_model("documents", "Reading").objects.filter(status="failed")
    failed.exclude(reason__contains="It was tried").update(is_lasting=True)


class Migration(migrations.Migration):
    dependencies = [("documents", "0021_reading_shares")]
    operations = [
        migrations.AddField(
            model_name="reading",
            name="is_lasting",
            field=models.BooleanField(default=False, verbose_name="it failed because of the file, and would again"),
        ),
        migrations.RunPython(mark_failures, migrations.RunPython.noop, elidable=True),
    ]
