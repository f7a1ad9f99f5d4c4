from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from kit.rows.models import fold_case


def fold_names(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    for tag in apps.get_model("documents", "Tag").objects.all():
        tag.name_folded = fold_case(tag.name)
        tag.save(update_fields=["name_folded"])


class Migration(migrations.Migration):
    dependencies = [("documents", "0001_initial")]

    operations = [
        migrations.AddField(
            model_name="tag",
            name="name_folded",
            field=models.CharField(default="", editable=False, max_length=200),
            preserve_default=False,
        ),
        migrations.RunPython(fold_names, migrations.RunPython.noop, elidable=True),
        migrations.AddField(
            model_name="promptrevision",
            name="peer_match_keys",
            field=models.JSONField(
                blank=True,
                default=list,
                help_text="Metadata that tells which documents belong together. Kept, not used yet.",
            ),
        ),
    ]
