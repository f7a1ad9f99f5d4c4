from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.utils import timezone


def restart_days(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Until now the trash kept everything: what lies there shall not vanish with the first start."""
    apps.get_model("agent", "Thread").objects.filter(trashed_at__isnull=False).update(trashed_at=timezone.now())


class Migration(migrations.Migration):
    dependencies = [("agent", "0012_summaries_and_preassigned_ids")]
    operations = [migrations.RunPython(restart_days, migrations.RunPython.noop, elidable=True)]
