from __future__ import annotations

import re
from datetime import date
from decimal import Decimal
from itertools import islice

import django.db.models.deletion
from django.conf import settings
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import Exists, OuterRef, Q


_NUMBER = re.compile(r"-?\d{1,17}(\.\d{1,6})?")
_AT_ONCE = 500


def judge_reviews(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Of the newest completed run of a prompt."""
    documents, runs = apps.get_model("documents", "Document"), apps.get_model("documents", "Extraction")
    verifications = apps.get_model("documents", "Verification")
    completed = Q(status="completed", prompt_revision__isnull=False)
    newer = runs.objects.filter(
        completed, document=OuterRef("extraction__document"), number__gt=OuterRef("extraction__number")
    )
    marks = verifications.objects.filter(
        ~Exists(newer),
        extraction__document=OuterRef("pk"),
        extraction__status="completed",
        extraction__prompt_revision__isnull=False,
        where="",
        cleared_at=None,
    )
    is_extracted = Exists(runs.objects.filter(completed, document=OuterRef("pk")))
    documents.objects.filter(is_extracted).update(review="to_verify")
    documents.objects.filter(is_extracted, Exists(marks)).update(review="verified")


def list_metadata(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    documents, values = apps.get_model("documents", "Document"), apps.get_model("documents", "CurrentValue")
    described = documents.objects.exclude(metadata={}).only("organization_id", "metadata")
    rows = (
        values(
            organization_id=document.organization_id,
            document_id=document.pk,
            path=f"metadata.{key}",
            text=value[:200].casefold().strip()[:200],
            number=Decimal(value) if _NUMBER.fullmatch(value) else None,
            day=_read_day(value),
        )
        for document in described.iterator(chunk_size=_AT_ONCE)
        for key, value in document.metadata.items()
        if isinstance(value, str) and len(key) <= 190
    )
    while batch := list(islice(rows, _AT_ONCE)):
        values.objects.bulk_create(batch)


def _read_day(value: str) -> date | None:
    try:
        return date.fromisoformat(value) if len(value) == 10 else None
    except ValueError:
        return None


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0010_failed_checks_need_reason"),
        ("documents", "0029_bulk_actions"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="document",
            name="review",
            field=models.CharField(
                blank=True,
                choices=[("", "nothing to verify"), ("to_verify", "to verify"), ("verified", "Verified")],
                default="",
                editable=False,
                max_length=9,
            ),
        ),
        migrations.AlterField(
            model_name="currentvalue",
            name="prompt",
            field=models.ForeignKey(
                db_constraint=False,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="+",
                to="documents.prompt",
            ),
        ),
        migrations.AlterField(
            model_name="currentvalue",
            name="schema",
            field=models.ForeignKey(
                db_constraint=False,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="+",
                to="documents.schema",
            ),
        ),
        migrations.AddIndex(
            model_name="currentvalue",
            index=models.Index(
                fields=["organization", "text", "document"],
                name="current_value_start",
                opclasses=["varchar_pattern_ops", "varchar_pattern_ops", "varchar_pattern_ops"],
            ),
        ),
        migrations.AddIndex(
            model_name="document",
            index=models.Index(
                fields=["organization", "trashed_at", "review", "-created_at", "-id", "state"],
                name="document_by_review",
            ),
        ),
        migrations.AddIndex(
            model_name="document",
            index=models.Index(
                fields=["organization", "trashed_at", "media_type", "-created_at", "-id"], name="document_by_kind"
            ),
        ),
        migrations.AddIndex(
            model_name="extraction",
            index=models.Index(
                condition=models.Q(("failed_check_count__gt", 0), ("status", "completed")),
                fields=["document"],
                name="extraction_failing",
            ),
        ),
        migrations.RunPython(judge_reviews, migrations.RunPython.noop, elidable=True),
        migrations.RunPython(list_metadata, migrations.RunPython.noop, elidable=True),
    ]
