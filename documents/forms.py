"""What pages send, checked."""

from __future__ import annotations

from django import forms
from django.db.models import Q, QuerySet

from docrouter.kit.models import folded
from documents.models import Document

State = Document.State
UNDER_WAY = (State.UPLOADED, State.OCR_PROCESSING, State.LLM_PROCESSING)
FAILED = (State.OCR_FAILED, State.LLM_FAILED)


class DocumentFilter(forms.Form):
    """The list's search field and state filter; anything unknown counts as not asked for."""

    STATES = {
        "under-way": ("Waiting or under way", Q(state__in=UNDER_WAY)),
        "read": ("Read, not extracted", Q(state=State.OCR_COMPLETED)),
        "extracted": ("Extracted", Q(state=State.LLM_COMPLETED)),
        "failed": ("Failed", Q(state__in=FAILED)),
    }

    q = forms.CharField(required=False, max_length=255)
    state = forms.ChoiceField(
        required=False, choices=[("", "Any state"), *((key, name) for key, (name, _) in STATES.items())]
    )

    def apply(self, documents: QuerySet[Document, Document]) -> QuerySet[Document, Document]:
        self.full_clean()
        if name := folded(self.cleaned_data.get("q", "")):
            documents = documents.filter(name_folded__contains=name)
        if state := self.cleaned_data.get("state"):
            documents = documents.filter(self.STATES[state][1])
        return documents

    @property
    def narrows(self) -> bool:
        return bool(self.cleaned_data.get("q") or self.cleaned_data.get("state"))


class NameForm(forms.Form):
    name = forms.CharField(max_length=255)
