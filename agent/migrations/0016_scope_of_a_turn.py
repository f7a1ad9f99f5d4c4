from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("agent", "0015_private_threads")]
    operations = [
        migrations.AddField(
            model_name="turn",
            name="scope",
            field=models.JSONField(
                blank=True,
                default=dict,
                verbose_name='documents it is about: {"document_ids"} or {"query"}; empty: all',
            ),
        ),
    ]
