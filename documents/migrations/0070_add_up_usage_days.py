from datetime import UTC
from itertools import islice

from django.db import migrations
from django.db.models import Count, OuterRef, Q, Subquery, Sum
from django.db.models.functions import TruncDate


def name_prompts(apps, schema_editor):
    Extraction, Usage = apps.get_model("documents", "Extraction"), apps.get_model("documents", "Usage")
    run = Extraction.objects.filter(pk=OuterRef("subject_id")).values("prompt_revision")[:1]
    known = Usage.objects.filter(purpose="extraction").annotate(prompt=Subquery(run)).exclude(prompt=None)
    known.update(prompt_revid=Subquery(run))


def add_up_days(apps, schema_editor):
    Usage, UsageDay = apps.get_model("documents", "Usage"), apps.get_model("documents", "UsageDay")
    columns = ("organization", "day", "purpose", "model", "user", "prompt_revid")
    rows = Usage.objects.order_by().annotate(day=TruncDate("created_at", tzinfo=UTC)).values(*columns)
    sums = rows.annotate(
        calls=Count("pk"),
        unpriced=Count("pk", filter=Q(price_known=False)),
        read=Sum("prompt_tokens"),
        written=Sum("completion_tokens"),
        cost=Sum("cost_micros"),
    )
    days = (
        UsageDay(
            organization_id=row["organization"],
            day=row["day"],
            purpose=row["purpose"],
            model=row["model"],
            person=row["user"] or "",
            prompt_revid=row["prompt_revid"],
            calls=row["calls"],
            unpriced_calls=row["unpriced"],
            prompt_tokens=row["read"],
            completion_tokens=row["written"],
            cost_micros=row["cost"],
        )
        for row in sums.iterator(chunk_size=2000)
    )
    while batch := list(islice(days, 1000)):
        UsageDay.objects.bulk_create(batch)


class Migration(migrations.Migration):
    dependencies = [
        ("documents", "0069_usage_days"),
    ]

    operations = [
        migrations.RunPython(name_prompts, migrations.RunPython.noop),
        migrations.RunPython(add_up_days, migrations.RunPython.noop),
    ]
