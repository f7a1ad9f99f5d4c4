from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("documents", "0002_tag_names_and_peer_keys")]

    operations = [
        migrations.AddField(
            model_name="reading",
            name="followed_at",
            field=models.DateTimeField(blank=True, null=True, verbose_name="its prompts were started"),
        ),
    ]
