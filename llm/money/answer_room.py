"""The room for an answer: by its purpose, learned from past ones, and cut to what every limit leaves."""

from __future__ import annotations

from statistics import mean

from django.conf import settings
from django.db.models import QuerySet

from accounts.models import Organization
from kit.rows.fixed_select import FixedValues
from llm.models import Usage

# Before anything is known of a model. Purposes that are not named here get MODEL_MAX_TOKENS.
DEFAULT_TOKENS = {"agent": 4000}
# An answer shorter than this helps nobody, so it is not asked for.
USEFUL_TOKENS = 256
# However short past answers were. An agent talks in short answers until it writes a schema of many fields, and one that
# is cut is paid for twice.
MIN_LEARNED, MIN_LEARNED_OF = 1000, DEFAULT_TOKENS
MIN_ANSWERS, MAX_ANSWERS = 20, 200
MARGIN = 2
# An extraction's tokens while nothing is known of a model: a form of thirty values.
USUAL_TOKENS = 800


@FixedValues
def _select_answers(organization: str, purpose: str, model: str) -> QuerySet[Usage, tuple[int]]:
    rows = Usage.objects.filter(organization=organization, purpose=purpose, model=model, completion_tokens__gt=0)
    return rows.order_by("-created_at").values_list("completion_tokens")[:MAX_ANSWERS]


def estimate_tokens(organization: Organization, purpose: str, model: str) -> int:
    """Twice what 19 of 20 past answers of this purpose and model needed; the default while there are few of them."""
    answers = _select_answers.list(organization.pk, purpose, model)
    past = sorted(tokens for (tokens,) in answers)
    maximum: int = settings.MODEL_MAX_TOKENS
    if len(past) < MIN_ANSWERS:
        return min(maximum, DEFAULT_TOKENS.get(purpose, maximum))
    needed: int = past[len(past) * 95 // 100]
    return min(maximum, max(MIN_LEARNED_OF.get(purpose, MIN_LEARNED), needed * MARGIN))


def estimate_usual_tokens(organization: Organization, purpose: str, model: str) -> int:
    """The mean of past answers: what one is likely to be, not what it may be at most."""
    rows = Usage.objects.filter(organization=organization, purpose=purpose, model=model, completion_tokens__gt=0)
    past = rows.order_by("-created_at").values_list("completion_tokens", flat=True)[:MAX_ANSWERS]
    return round(mean(past)) if past else USUAL_TOKENS
