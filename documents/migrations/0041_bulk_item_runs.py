from django.db import migrations, models
from django.db.models import F


def keep_runs(apps, schema_editor):
    """The one run that an item had."""
    item, link = apps.get_model("documents", "BulkItem"), apps.get_model("documents", "BulkItem").runs.through
    rows = item.objects.exclude(extraction=None).values_list("pk", "extraction_id")
    links = (link(bulkitem_id=item_id, extraction_id=run_id) for item_id, run_id in rows.iterator(chunk_size=1000))
    link.objects.bulk_create(links, batch_size=1000)


class Migration(migrations.Migration):
    dependencies = [("documents", "0040_pages_in_the_whole")]

    operations = [
        migrations.AddField(
            model_name="bulkitem",
            name="runs",
            field=models.ManyToManyField(blank=True, related_name="bulk_items", to="documents.extraction"),
        ),
        migrations.RunPython(keep_runs, migrations.RunPython.noop, elidable=True),
        migrations.RemoveField(model_name="bulkitem", name="extraction"),
        migrations.AlterField(
            model_name="bulkaction",
            name="request_key",
            field=models.CharField(
                blank=True, max_length=64, null=True, verbose_name="digest of the Idempotency-Key"
            ),
        ),
        migrations.AddField(
            model_name="bulkaction",
            name="request_hash",
            field=models.CharField(
                blank=True, max_length=64, verbose_name="digest of the request that came with the key"
            ),
        ),
    ]
