from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from kit.rows.models import fold_case


def fill(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """What was written before gets its searched form too."""
    for thread in apps.get_model("agent", "Thread").objects.only("title").iterator():
        thread.title_folded = fold_case(thread.title)
        thread.save(update_fields=["title_folded"])
    for message in apps.get_model("agent", "Message").objects.only("blocks").iterator():
        words = [block["text"] for block in message.blocks if block.get("type") == "text"]
        message.text_folded = fold_case(" ".join(words))
        message.save(update_fields=["text_folded"])


class Migration(migrations.Migration):

    dependencies = [
        ("agent", "0003_deciding_and_context"),
    ]

    operations = [
        migrations.AddField(
            model_name="message",
            name="text_folded",
            field=models.TextField(blank=True, default="", editable=False, verbose_name="what a search looks in"),
        ),
        migrations.AddField(
            model_name="thread",
            name="title_folded",
            field=models.CharField(default="", editable=False, max_length=600),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop, elidable=True),
    ]
