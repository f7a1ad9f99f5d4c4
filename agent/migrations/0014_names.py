from django.db import migrations, models


class Migration(migrations.Migration):
    """Names alone, of columns and tables as well."""

    dependencies = [("agent", "0013_days_in_trash")]

    operations = [
        migrations.RenameField(
            model_name="agentsettings", old_name="house_instructions", new_name="organization_instructions"
        ),
        migrations.RenameField(model_name="turn", old_name="driven_ms", new_name="worked_ms"),
        migrations.AlterField(
            model_name="turn",
            name="worked_ms",
            field=models.PositiveBigIntegerField(
                default=0, verbose_name="time worked on it; waiting for a person does not count"
            ),
        ),
        migrations.AlterField(
            model_name="turn",
            name="limit_ms",
            field=models.PositiveBigIntegerField(
                default=0, help_text="0: none", verbose_name="limit of the time worked on it"
            ),
        ),
        migrations.RenameField(model_name="turn", old_name="waits", new_name="provider_waits"),
        migrations.AlterField(
            model_name="toolcall",
            name="preassigned_ids",
            field=models.JSONField(blank=True, default=list, verbose_name="ids that a planned step will give"),
        ),
        migrations.RemoveConstraint(model_name="threadsummary", name="compacted_once"),
        migrations.AlterField(model_name="threadsummary", name="text", field=models.TextField()),
        migrations.AlterModelTable(name="threadsummary", table=None),
        migrations.AddConstraint(
            model_name="threadsummary",
            constraint=models.UniqueConstraint(fields=("thread", "upto"), name="thread_summary_once"),
        ),
    ]
