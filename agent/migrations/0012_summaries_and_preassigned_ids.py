from django.db import migrations, models
import django.db.models.deletion


class Migration(migrations.Migration):
    """Names alone: tables and columns stay as they are."""

    dependencies = [("agent", "0011_role_ceiling_of_a_turn")]

    operations = [
        migrations.AlterModelTable(name="compaction", table="agent_compaction"),
        migrations.RenameModel(old_name="Compaction", new_name="ThreadSummary"),
        migrations.AlterModelOptions(
            name="threadsummary", options={"ordering": ["upto"], "verbose_name_plural": "thread summaries"}
        ),
        migrations.AlterField(
            model_name="threadsummary", name="digest", field=models.TextField(db_column="digest")
        ),
        migrations.RenameField(model_name="threadsummary", old_name="digest", new_name="text"),
        migrations.AlterField(
            model_name="threadsummary",
            name="thread",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="summaries", to="agent.thread"
            ),
        ),
        migrations.AlterField(
            model_name="threadsummary",
            name="turn",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="summaries", to="agent.turn"
            ),
        ),
        migrations.AlterField(
            model_name="threadsummary",
            name="upto",
            field=models.PositiveIntegerField(verbose_name="number of the last message in it"),
        ),
        migrations.AlterField(
            model_name="toolcall",
            name="minted",
            field=models.JSONField(
                blank=True, db_column="minted", default=list, verbose_name="ids that a planned step will give"
            ),
        ),
        migrations.RenameField(model_name="toolcall", old_name="minted", new_name="preassigned_ids"),
    ]
