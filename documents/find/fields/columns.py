"""What a query knows of a document beside its values: `@name`, `@uploaded` and so on, and which fields there are."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from difflib import get_close_matches

from django.db.models import Exists, OuterRef, Q

from accounts.models import Organization
from documents.definitions.schema_fields import list_field_lines
from documents.find.field_conditions import FieldCondition, ValueReading
from documents.models import CurrentValue, Document, DocumentType, Schema, Tag
from kit.errors import Invalid

MAX_NAMED, MAX_SCHEMAS = 30, 100
ID, NAME, STATE, KIND, UPLOADED, PERSON, TAG, TYPE = (
    *("@id", "@name", "@state", "@kind", "@uploaded"),
    *("@uploaded_by", "@tag", "@type"),
)
COLUMNS = (ID, NAME, STATE, KIND, UPLOADED, PERSON, TAG, TYPE)
_PATHS = {ID: "pk", NAME: "name_folded", STATE: "state", PERSON: "uploaded_by_name"}


@dataclass(frozen=True)
class DocumentColumn:
    """One of `COLUMNS`."""

    name: str

    def read(self, document: Document) -> list[ValueReading]:
        match self.name:
            case "@uploaded":
                day = document.created_at.astimezone(UTC).date()
                return [ValueReading(day.isoformat(), day=day)]
            case "@type":
                return [ValueReading(document.document_type.name)] if document.document_type else []
            case "@tag":
                return [ValueReading(tag.name) for tag in document.tags.all()]
        texts = {
            ID: document.pk,
            NAME: document.name,
            STATE: document.state,
            KIND: document.extension,
            PERSON: document.uploaded_by_name,
        }
        return [ValueReading(texts[self.name])]

    def select_documents(self, condition: FieldCondition) -> Q:
        """Raises Invalid for what the column cannot be compared by."""
        if self.name == UPLOADED:
            return _select_by_day(condition)
        if condition.operator not in ("eq", "ne", "in", "contains", "empty"):
            raise Invalid(f"{self.name} is a text: compare it with eq, ne, in, contains or empty.")
        chosen = self._select_chosen(condition)
        return ~chosen if condition.is_negated else chosen

    def _select_chosen(self, condition: FieldCondition) -> Q:
        if self.name == TAG:
            tags = Tag.objects.filter(_compare("name_folded", condition))
            ties = Document.tags.through.objects.filter(document_id=OuterRef("pk"), tag_id__in=tags.values("pk"))
            return Q(Exists(ties))
        if self.name == KIND:
            return _select_by_kind(condition)
        if self.name == TYPE:
            types = DocumentType.objects.filter(_compare("name_folded", condition))
            return Q(document_type__in=types.values("pk"))
        return _compare(_PATHS[self.name], condition)


def _compare(path: str, condition: FieldCondition) -> Q:
    if condition.operator == "empty":
        return ~Q(**{path: ""})
    texts = [str(choice) for choice in condition.choices]
    if path in ("name_folded",):
        texts = [text.casefold() for text in texts]
    if condition.operator == "contains":
        return Q(**{f"{path}__icontains": texts[0]})
    return Q(**{f"{path}__in": texts})


def _select_by_kind(condition: FieldCondition) -> Q:
    if condition.operator in ("contains", "empty"):
        raise Invalid("@kind is the ending of a file such as pdf: compare it with eq, ne or in.")
    chosen = Q()
    for choice in condition.choices:
        chosen |= Q(name_folded__endswith=f".{str(choice).casefold()}")
    return chosen


def _select_by_day(condition: FieldCondition) -> Q:
    if condition.operator not in ("eq", "lt", "le", "gt", "ge") or condition.column != "day":
        raise Invalid("@uploaded is compared with a day such as 2026-12-31, by eq, lt, le, gt or ge.")
    [day] = condition.choices
    try:
        begin = datetime.combine(day, time(), UTC)  # type: ignore[arg-type]  # the column says so
        end = begin + timedelta(days=1)
    except OverflowError:
        raise Invalid(f"“{day}” is too late a day.") from None
    return {
        "eq": Q(created_at__gte=begin, created_at__lt=end),
        "lt": Q(created_at__lt=begin),
        "le": Q(created_at__lt=end),
        "gt": Q(created_at__gte=end),
        "ge": Q(created_at__gte=begin),
    }[condition.operator]


def check_fields(organization: Organization, names: Iterable[str]) -> None:
    """Raises Invalid for one that neither a document's values nor a schema has, with those that are near."""
    missing = [name for name in dict.fromkeys(names) if name not in COLUMNS and not _has_values(organization, name)]
    if not missing:
        return
    known = list_fields(organization)
    for name in missing:
        if name not in known:
            near = get_close_matches(name, [*known, *COLUMNS], n=5, cutoff=0.5) or [*known[:MAX_NAMED], *COLUMNS]
            raise Invalid(f"No document has a field “{name[:60]}”. There are {', '.join(near)}.")


def list_fields(organization: Organization) -> list[str]:
    """Of the schemas, those of rows by the name of their table before them."""
    schemas = Schema.objects.for_org(organization).filter(latest__isnull=False).select_related("latest")
    fields: dict[str, None] = {}
    for schema in schemas.order_by("-created_at")[:MAX_SCHEMAS]:
        if schema.latest:
            fields |= dict.fromkeys(line.where for line in list_field_lines(schema.latest.json_schema))
    return list(fields)


def _has_values(organization: Organization, name: str) -> bool:
    return CurrentValue.objects.for_org(organization).filter(path=name).exists()
