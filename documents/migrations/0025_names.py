import django.db.models.deletion
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def name_open_reservations(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    apps.get_model("documents", "Reservation").objects.filter(status="held").update(status="open")


class Migration(migrations.Migration):
    """Names alone, of columns, tables and a status as well."""

    dependencies = [("documents", "0024_days_in_trash")]

    operations = [
        migrations.RenameModel(old_name="AutoCreate", new_name="AutoSetup"),
        migrations.AlterField(
            model_name="autosetup",
            name="document",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.CASCADE, related_name="auto_setup", to="documents.document"
            ),
        ),
        migrations.RenameIndex(model_name="autosetup", old_name="auto_create_waiting", new_name="auto_setup_waiting"),
        migrations.RenameField(model_name="proposal", old_name="made", new_name="created_ids"),
        migrations.RenameField(model_name="budget", old_name="held_micros", new_name="reserved_micros"),
        migrations.RenameField(model_name="extraction", old_name="waits_for_money", new_name="waits_for_budget"),
        migrations.RenameField(model_name="modelcall", old_name="wanted_until", new_name="expires_at"),
        migrations.RenameField(model_name="modelcall", old_name="failed_with", new_name="failure_status"),
        migrations.RenameField(model_name="providerkey", old_name="ending", new_name="last_characters"),
        migrations.RenameField(model_name="reading", old_name="is_lasting", new_name="is_permanent"),
        migrations.RemoveIndex(model_name="reading", name="reading_to_follow"),
        migrations.RenameField(model_name="reading", old_name="followed_at", new_name="prompts_started_at"),
        migrations.AddIndex(
            model_name="reading",
            index=models.Index(
                condition=models.Q(("prompts_started_at", None), ("status", "completed")),
                fields=["finished_at"],
                name="reading_to_trigger",
            ),
        ),
        migrations.RemoveIndex(model_name="reservation", name="reservation_of_subject"),
        migrations.AlterField(
            model_name="reservation",
            name="status",
            field=models.CharField(
                choices=[
                    ("open", "Open"),
                    ("settled", "Settled"),
                    ("estimated", "settled at the estimate"),
                    ("released", "released: nothing was sent"),
                ],
                default="open",
                max_length=10,
            ),
        ),
        migrations.RunPython(name_open_reservations, migrations.RunPython.noop, elidable=True),
        migrations.AddIndex(
            model_name="reservation",
            index=models.Index(
                condition=models.Q(("status", "open")), fields=["subject_id"], name="reservation_of_subject"
            ),
        ),
    ]
