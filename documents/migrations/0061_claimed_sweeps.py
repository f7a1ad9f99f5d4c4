"""Indexing words and unpacking are claimed by leases, as reading is."""

from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def keep_what_is_indexed(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    readings = apps.get_model("documents", "Reading").objects
    readings.filter(words_indexed_at__isnull=False).update(indexing="done")


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0017_connections"),
        ("documents", "0060_no_like_indexes"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="document",
            name="unpacking_fence",
            field=models.PositiveIntegerField(default=0, editable=False),
        ),
        migrations.AddField(
            model_name="document",
            name="unpacking_lease_until",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name="reading",
            name="indexing",
            field=models.CharField(
                choices=[("waiting", "Waiting"), ("working", "Working"), ("done", "Done")],
                default="waiting",
                editable=False,
                max_length=7,
                verbose_name="whether its words are found",
            ),
        ),
        migrations.AddField(
            model_name="reading",
            name="indexing_fence",
            field=models.PositiveIntegerField(default=0, editable=False),
        ),
        migrations.AddField(
            model_name="reading",
            name="indexing_lease_until",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.AlterField(
            model_name="document",
            name="unpacking",
            field=models.CharField(
                blank=True,
                choices=[("waiting", "Waiting"), ("working", "Working"), ("done", "Done")],
                editable=False,
                max_length=8,
            ),
        ),
        migrations.RunPython(keep_what_is_indexed, migrations.RunPython.noop),
        migrations.RemoveIndex(
            model_name="reading",
            name="reading_words",
        ),
        migrations.RemoveField(
            model_name="reading",
            name="words_indexed_at",
        ),
        migrations.AddIndex(
            model_name="document",
            index=models.Index(
                condition=models.Q(("unpacking", "working")),
                fields=["unpacking_lease_until"],
                name="document_being_unpacked",
            ),
        ),
        migrations.AddIndex(
            model_name="reading",
            index=models.Index(
                condition=models.Q(("indexing", "waiting"), ("status", "completed")),
                fields=["id"],
                name="reading_words_waiting",
            ),
        ),
        migrations.AddIndex(
            model_name="reading",
            index=models.Index(
                condition=models.Q(("indexing", "working")),
                fields=["indexing_lease_until"],
                name="reading_words_working",
            ),
        ),
    ]
