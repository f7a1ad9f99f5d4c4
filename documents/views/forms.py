"""What pages send, checked."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from django import forms
from django.conf import settings
from django.db.models import F, Q
from django.http import QueryDict

from accounts.actor import Actor
from documents.definitions.definitions import MAX_NAME
from documents.definitions.prompts import MAX_CONTENT
from documents.definitions.tags import DEFAULT_COLOR, MAX_DESCRIPTION
from documents.models import PromptRevision, SchemaRevision, Tag
from llm import models_catalogue


class TextField(forms.CharField):
    """Lines end in one character, as they were stored: browsers send two, which would look like a change."""

    def to_python(self, value: object) -> str:
        return str(super().to_python(value) or "").replace("\r\n", "\n")


class SchemaForm(forms.Form):
    """`seen` is the revision that the text was made from."""

    name = forms.CharField(max_length=MAX_NAME)
    content = forms.CharField(max_length=500_000, strip=False)
    seen = forms.CharField(max_length=24, required=False)


class SchemaRevisionChoice(forms.ModelChoiceField):  # type: ignore[type-arg]
    def label_from_instance(self, revision: SchemaRevision) -> str:
        return f"{revision.schema.name}, version {revision.number}"


class PromptForm(forms.Form):
    """Offers the latest revision of each schema, and the one that the prompt uses now."""

    name = forms.CharField(max_length=MAX_NAME)
    content = TextField(max_length=MAX_CONTENT, strip=False)
    schema_revision = SchemaRevisionChoice(
        SchemaRevision.objects.none(), required=False, empty_label="None: the answer is plain text"
    )
    model = forms.ChoiceField(required=False)
    tags = forms.ModelMultipleChoiceField(Tag.objects.none(), required=False)
    seen = forms.CharField(max_length=24, required=False)

    def __init__(
        self,
        actor: Actor,
        latest: PromptRevision | None,
        data: QueryDict | None = None,
        *,
        begun_from: Mapping[str, str] | None = None,
    ) -> None:
        """`begun_from`: the id of the `schema` or `tag` whose page led to a new prompt."""
        super().__init__(data, initial=_get_initial(latest))
        offered = Q(pk=F("schema__latest")) | Q(pk=latest.schema_revision_id if latest else None)
        revisions = SchemaRevision.objects.for_org(actor.organization).filter(offered, schema__trashed_at=None)
        self.fields["schema_revision"].queryset = revisions.select_related("schema").order_by("schema__name_folded")  # type: ignore[attr-defined]
        self.fields["tags"].queryset = Tag.objects.for_org(actor.organization).order_by("name")  # type: ignore[attr-defined]
        names = [model.name for model in models_catalogue.list_chat_models(actor.organization)]
        if latest and latest.model and latest.model not in names:
            names.append(latest.model)
        default = settings.EXTRACTION_MODEL
        self._begin(begun_from or {})
        choices = [("", f"The default, now {default}"), *((name, name) for name in names)]
        self.fields["model"].choices = choices  # type: ignore[attr-defined]

    def _begin(self, begun_from: Mapping[str, str]) -> None:
        if schema := begun_from.get("schema"):
            revisions = self.fields["schema_revision"].queryset  # type: ignore[attr-defined]
            self.initial["schema_revision"] = revisions.filter(schema=schema[:24]).values_list("pk", flat=True).first()
        if tag := begun_from.get("tag"):
            self.initial["tags"] = [tag]


def _get_initial(latest: PromptRevision | None) -> dict[str, object]:
    if latest is None:
        return {}
    return {
        "name": latest.prompt.name,
        "content": latest.content,
        "schema_revision": latest.schema_revision_id,
        "model": latest.model,
        "tags": [tag.pk for tag in latest.tags.all()],
    }


class TagForm(forms.Form):
    """The browser's colour field knows six digits only; a colour with more is kept while the field is not changed."""

    name = forms.CharField(max_length=MAX_NAME)
    color = forms.CharField(max_length=9, required=False)
    description = TextField(max_length=MAX_DESCRIPTION, required=False)

    def __init__(self, tag: Tag | None = None, data: QueryDict | None = None) -> None:
        color = _six_digits(tag.color if tag else DEFAULT_COLOR)
        super().__init__(
            data,
            initial={"name": tag.name if tag else "", "color": color, "description": tag.description if tag else ""},
        )

    @property
    def new_color(self) -> str:
        """Empty when the colour is as it was."""
        typed, shown = str(self.cleaned_data["color"]), str(self.initial["color"])
        return "" if typed.lower() == shown.lower() else typed


class PriceForm(forms.Form):
    name = forms.CharField(max_length=200)
    input_usd = forms.FloatField(min_value=0)
    output_usd = forms.FloatField(min_value=0)


class BudgetForm(forms.Form):
    limit_usd = forms.DecimalField(max_digits=9, decimal_places=2)


class EmbeddingForm(forms.Form):
    """No model: words alone. `earlier`: also what was read before."""

    model = forms.CharField(max_length=200, required=False)
    earlier = forms.BooleanField(required=False)


class TypeModelForm(forms.Form):
    """No model: none is asked."""

    model = forms.CharField(max_length=200, required=False)
    month_usd = forms.DecimalField(required=False)

    def clean_month_usd(self) -> Decimal:
        """An amount that is left out is no reason to spend more than any."""
        return self.cleaned_data["month_usd"] or Decimal(0)


def _six_digits(color: str) -> str:
    digits = color.lstrip("#")
    return f"#{''.join(digit * 2 for digit in digits) if len(digits) == 3 else digits[:6]}"
