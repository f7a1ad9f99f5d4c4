from __future__ import annotations

from django import forms

from agent.models import Decision


class DecisionForm(forms.Form):
    """A card's answer. `version` and `shown_hash` say which face of the card was seen."""

    kind = forms.ChoiceField(
        choices=[(kind, kind) for kind in (Decision.Kind.APPROVED.value, Decision.Kind.REJECTED.value)]
    )
    version = forms.IntegerField(min_value=1)
    shown_hash = forms.CharField(max_length=64)
    idempotency_key = forms.CharField(max_length=100)
    reason = forms.CharField(required=False, max_length=2000)
