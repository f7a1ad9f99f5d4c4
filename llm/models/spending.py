"""Money is BigInteger millionths of a dollar: SQLite keeps decimals as floats."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from accounts.models import Organization
from accounts.models.scoped import ScopedQuerySet
from kit.rows.models import Row
from kit.rows.state import table


class Budget(Row):
    """An organization's money for one calendar month (UTC). Both sums change under this row's lock only."""

    organization = models.OneToOneField(Organization, on_delete=models.CASCADE, related_name="budget")
    month = models.CharField("YYYY-MM", max_length=7, editable=False)
    limit_micros = models.BigIntegerField("limit a month, in millionths of a dollar")
    spent_micros = models.BigIntegerField(default=0, editable=False)
    reserved_micros = models.BigIntegerField(default=0, editable=False)
    told_percent = models.PositiveSmallIntegerField(
        "share of this month's limit that admins were told of", default=0, editable=False
    )

    objects = ScopedQuerySet["Budget"].as_manager()

    class Meta:
        app_label = "documents"

    @property
    def left_micros(self) -> int:
        """The room for new calls. A limit can be set below what is spent, and reservations outlive a month."""
        return max(0, self.limit_micros - self.spent_micros - self.reserved_micros)

    def __str__(self) -> str:
        return f"budget of {self.organization}"


class Reservation(Row):
    """The estimated cost of one model call, reserved before it, settled after. A lost one is settled as estimated."""

    class Status(models.TextChoices):
        OPEN = "open"
        SETTLED = "settled"
        ESTIMATED = "estimated", "settled at the estimate"
        RELEASED = "released", "released: nothing was sent"

    TRANSITIONS = table(open="settled estimated released")

    organization = models.ForeignKey(Organization, on_delete=models.CASCADE, related_name="reservations")
    purpose = models.CharField(max_length=40)
    subject_id = models.CharField("turn or extraction", max_length=24, blank=True)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    model = models.CharField(max_length=200)
    provider = models.CharField(max_length=60, blank=True)
    month = models.CharField("YYYY-MM", max_length=7)
    estimate_micros = models.BigIntegerField()
    max_tokens = models.PositiveIntegerField("how long the answer may be", default=0)
    tool = models.CharField("tool that asked the model", max_length=100, blank=True)
    prompt_revid = models.CharField("revision of the prompt", max_length=24, blank=True)
    price_known = models.BooleanField(default=True)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN)
    expires_at = models.DateTimeField(db_index=True)

    objects = ScopedQuerySet["Reservation"].as_manager()

    class Meta:
        app_label = "documents"
        indexes = [
            models.Index(fields=["status", "provider"], name="reservation_under_way"),
            models.Index(fields=["subject_id"], condition=Q(status="open"), name="reservation_of_subject"),
        ]

    def __str__(self) -> str:
        return f"{self.purpose} with {self.model}"


class UsageQuerySet(ScopedQuerySet["Usage"]):
    def overlong(self) -> UsageQuerySet:
        """Answers that are longer than they were to be, by more than how tokens are counted explains."""
        maximum = F("reservation__max_tokens")
        return self.filter(reservation__max_tokens__gt=0, completion_tokens__gt=maximum * 5 / 4 + 64)


class Usage(Row):
    """The tokens and costs of one model call."""

    organization = models.ForeignKey(Organization, on_delete=models.CASCADE, related_name="usages")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    reservation = models.OneToOneField(Reservation, on_delete=models.PROTECT, related_name="usage")
    purpose = models.CharField(max_length=40)
    subject_id = models.CharField("turn or extraction", max_length=24, db_index=True)
    model = models.CharField(max_length=200)
    prompt_tokens = models.PositiveIntegerField(default=0)
    cached_tokens = models.PositiveIntegerField("prompt tokens from the provider's cache", default=0)
    cache_written_tokens = models.PositiveIntegerField("prompt tokens written into its cache", default=0)
    completion_tokens = models.PositiveIntegerField(default=0)
    cost_micros = models.BigIntegerField()
    tool = models.CharField("tool that asked the model", max_length=100, blank=True)
    prompt_revid = models.CharField("revision of the prompt", max_length=24, blank=True)
    price_known = models.BooleanField(default=True)
    duration_ms = models.PositiveIntegerField(default=0)

    objects = UsageQuerySet.as_manager()

    class Meta:
        app_label = "documents"
        indexes = [models.Index(fields=["organization", "purpose", "model", "-created_at"], name="usage_of_purpose")]

    def __str__(self) -> str:
        return f"{self.purpose} with {self.model}"


class UsageDay(models.Model):
    """The sums of an organization's Usage rows of one day (UTC) that share purpose, model, person, tool and prompt.

    Its numbers change under the budget's lock, in the transaction of the Usage row.
    """

    organization = models.ForeignKey(Organization, on_delete=models.CASCADE, related_name="usage_days")
    day = models.DateField()
    purpose = models.CharField(max_length=40)
    model = models.CharField(max_length=200)
    person = models.CharField("id of the user; empty: nobody", max_length=24, blank=True)
    tool = models.CharField(max_length=100, blank=True)
    prompt_revid = models.CharField("revision of the prompt", max_length=24, blank=True)
    calls = models.BigIntegerField(default=0)
    unpriced_calls = models.BigIntegerField("calls counted at the ceiling of unknown prices", default=0)
    prompt_tokens = models.BigIntegerField(default=0)
    cached_tokens = models.BigIntegerField(default=0)
    cache_written_tokens = models.BigIntegerField(default=0)
    completion_tokens = models.BigIntegerField(default=0)
    cost_micros = models.BigIntegerField(default=0)

    objects = ScopedQuerySet["UsageDay"].as_manager()

    class Meta:
        app_label = "documents"
        constraints = [
            models.UniqueConstraint(
                fields=["organization", "day", "purpose", "model", "person", "tool", "prompt_revid"],
                name="usage_day_once",
            )
        ]

    def __str__(self) -> str:
        return f"{self.purpose} with {self.model} on {self.day}"


class ModelPrice(Row):
    """The operator's price of a model, or of all that fit a pattern with `*`. It wins over the list's."""

    name = models.CharField("model, or a pattern such as hosted_vllm/*", max_length=200, unique=True)
    input_micros_per_mtok = models.BigIntegerField("millionths of a dollar for a million tokens read")
    output_micros_per_mtok = models.BigIntegerField("millionths of a dollar for a million tokens written")
    set_at = models.DateTimeField()
    set_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")

    class Meta:
        app_label = "documents"

    def __str__(self) -> str:
        return f"price of {self.name}"


class LanguageModel(Row):
    """A model that can be chosen. Rows are written by the worker from litellm's catalogue and the keys it finds."""

    name = models.CharField(max_length=200, unique=True)
    provider = models.CharField(max_length=60)
    key_setting = models.CharField("environment variable of the key", max_length=80, blank=True)
    available = models.BooleanField("its key is set, or it needs none", default=False)
    enabled = models.BooleanField(default=True)
    local = models.BooleanField("what it is sent stays on machines of one's own", default=False)
    embedding = models.BooleanField(default=False)
    reranks = models.BooleanField("orders texts and writes nothing", default=False)
    calls_tools = models.BooleanField(default=False)
    answers_schema = models.BooleanField("answers to a JSON schema", default=False)
    sees = models.BooleanField("takes pictures", default=False)
    max_input_tokens = models.PositiveIntegerField(null=True, blank=True)
    max_output_tokens = models.PositiveIntegerField(null=True, blank=True)
    dimensions = models.PositiveIntegerField("numbers in an embedding", null=True, blank=True)
    input_micros_per_mtok = models.BigIntegerField(null=True, blank=True)
    output_micros_per_mtok = models.BigIntegerField(null=True, blank=True)
    synced_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        app_label = "documents"

    def __str__(self) -> str:
        return self.name
