"""What was seen and not read stands in the row of its reading, and documents with such gaps can be listed."""

from django.conf import settings
from django.db import migrations, models
from django.db.models import OuterRef, Q, Subquery


def mark_documents(apps, schema_editor):
    """Those whose newest completed reading left something out, and those with files in them that were not taken."""
    Document, Reading = apps.get_model("documents", "Document"), apps.get_model("documents", "Reading")
    completed = Reading.objects.filter(document=OuterRef("pk"), status="completed").order_by("-number")
    newest = Document.objects.annotate(why=Subquery(completed.values("reason")[:1]))
    Document.objects.filter(pk__in=newest.filter(~Q(parts_reason="") | Q(why__gt="")).values("pk")).update(has_gaps=True)


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0018_refresh_families'),
        ('documents', '0061_claimed_sweeps'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='document',
            name='has_gaps',
            field=models.BooleanField(default=False, editable=False, verbose_name='something in it was seen and not read'),
        ),
        migrations.AddField(
            model_name='reading',
            name='gaps',
            field=models.JSONField(blank=True, default=list, editable=False, verbose_name='seen and not read: kind, sentence, page or null, part'),
        ),
        migrations.AddIndex(
            model_name='document',
            index=models.Index(condition=models.Q(('has_gaps', True), ('trashed_at', None)), fields=['organization', '-created_at', '-id'], name='document_with_gaps'),
        ),
        migrations.RunPython(mark_documents, migrations.RunPython.noop, elidable=True),
    ]
