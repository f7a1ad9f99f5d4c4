"""With the shortcuts of the tests, Django's compiler writes the same statements as without them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db.models import Count, Exists, F, Model, OuterRef, Q, QuerySet
from django.db.models.expressions import Col
from django.db.models.sql.compiler import SQLCompiler

from accounts.models import Member, Organization
from agent.models import ToolCall
from documents.models import Document, Extraction
from tests import quick_sql

MODELS = (Member, Organization, Document, Extraction, ToolCall)


def list_queries(model: type[Model]) -> Iterator[QuerySet[Model]]:
    rows = model._default_manager.all()
    keys = [field.name for field in model._meta.concrete_fields if field.is_relation and not field.null]
    last = model._meta.concrete_fields[-1].name
    yield from (rows, rows.order_by("-pk"), rows.order_by(F("pk").desc()), rows.order_by("?"), rows.reverse())
    yield from (rows.only("pk"), rows.defer(last), rows.order_by(last, "pk")[3:7], rows.distinct())
    yield from (rows.values("pk").order_by("pk"), rows.values_list(last, flat=True), rows.filter(pk=1).order_by())
    yield rows.annotate(many=Count("pk")).order_by("many", "-pk")
    yield rows.order_by().union(rows.filter(pk=1).order_by()).order_by("id")
    for key in keys:
        yield rows.select_related(key).order_by(f"-{key}__id")
        yield rows.select_related(key).only("pk", f"{key}__id")
        yield rows.filter(Exists(model._default_manager.filter(**{key: OuterRef(key)}).exclude(pk=OuterRef("pk"))))


def list_own_queries() -> Iterator[QuerySet[Model]]:
    done = Extraction.objects.filter(document=OuterRef("pk")).order_by("-number")
    yield Document.objects.annotate(newest=done.values("pk")[:1]).order_by("-newest", "name")
    yield Document.objects.filter(Q(tags__name="a") | Q(tags__name="b"), pk__in=done.values("document"))
    yield Extraction.objects.select_related("document__organization", "prompt_revision__prompt")
    yield Extraction.objects.order_by("document__organization__name", "-document__created_at")


def compile_all() -> list[str]:
    queries = [query for model in MODELS for query in list_queries(model)]
    return [str(query.query) for query in (*queries, *list_own_queries())]


def test_it_writes_what_django_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    twice = [compile_all(), compile_all()]
    monkeypatch.setattr(SQLCompiler, "get_select", quick_sql._write_select)
    monkeypatch.setattr(SQLCompiler, "_order_by_pairs", quick_sql._pair_ordering)
    monkeypatch.setattr(Col, "as_sql", quick_sql._write_column)
    assert twice == [compile_all()] * 2
