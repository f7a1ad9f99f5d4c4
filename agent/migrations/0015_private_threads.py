from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def keep_private(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Until now a thread without a document was its owner's alone: what was written there stays so."""
    apps.get_model("agent", "Thread").objects.filter(document=None).update(private=True)


class Migration(migrations.Migration):
    dependencies = [("agent", "0014_names")]
    operations = [
        migrations.AddField(
            model_name="thread",
            name="private",
            field=models.BooleanField(
                default=False, editable=False, verbose_name="only its owner may read it"
            ),
        ),
        migrations.RunPython(keep_private, migrations.RunPython.noop, elidable=True),
    ]
