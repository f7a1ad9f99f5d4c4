import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """Names alone."""

    dependencies = [("accounts", "0008_summary_off")]

    operations = [
        migrations.RenameField(
            model_name="organization", old_name="auto_create_default", new_name="auto_setup_default"
        ),
        migrations.AlterField(
            model_name="accesstoken",
            name="made_by",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="created_tokens",
                to="accounts.accesstoken",
                verbose_name="token that made it",
            ),
        ),
    ]
