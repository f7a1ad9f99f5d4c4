"""Sums of Usage rows by day, so that pages of usage cost the same at any age. They change under the budget's lock."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date

from django.db import transaction
from django.db.models import Count, Q, Sum
from django.db.models.functions import TruncDate

from accounts.models import Organization, User
from kit.rows.fixed_update import update_row
from llm.models import Usage, UsageDay
from llm.money.budgets import lock_budget

KEY = ("day", "purpose", "model", "person", "tool", "prompt_revid")
TOKENS = ("prompt_tokens", "cached_tokens", "cache_written_tokens", "completion_tokens")
SUMS = ("calls", "unpriced_calls", *TOKENS, "cost_micros")

Key = tuple[object, ...]
Sums = tuple[int, ...]


def add(usage: Usage) -> None:
    """Count a call, under the budget's lock, in the transaction of its Usage row."""
    _change(usage, 1)


def subtract(usage: Usage) -> None:
    """Count a call no more, which is about to be deleted, under the same lock."""
    _change(usage, -1)


def _change(usage: Usage, sign: int) -> None:
    key = dict(zip(KEY, _read_key(usage), strict=True)) | {"organization": usage.organization_id}
    amounts = {name: sign * number for name, number in zip(SUMS, _read_sums(usage), strict=True)}
    if update_row(UsageDay, {f"{name}__add": number for name, number in amounts.items()}, where=key) is None:
        UsageDay.objects.create(**{**key, "organization": usage.organization}, **amounts)


def _read_key(usage: Usage) -> Key:
    day = usage.created_at.astimezone(UTC).date()
    return (day, usage.purpose, usage.model, usage.user_id or "", usage.tool, usage.prompt_revid)


def _read_sums(usage: Usage) -> Sums:
    return (1, int(not usage.price_known), *(getattr(usage, name) for name in TOKENS), usage.cost_micros)


@dataclass(frozen=True)
class Difference:
    """The sums that a day's row has under one key, and those of the Usage rows; None where there are no rows."""

    organization: Organization
    key: Key
    counted: Sums | None
    true: Sums | None

    def __str__(self) -> str:
        key = ", ".join(str(part) for part in self.key if part)
        return f"{self.organization}, {key}: {_describe(self.counted)} counted, {_describe(self.true)} in the rows"


def _describe(sums: Sums | None) -> str:
    return "nothing" if sums is None else f"{sums[0]:,} calls and {sums[-1]:,} millionths of a dollar"


def reconcile(organization: Organization, *, mends: bool) -> Iterator[Difference]:
    """Yield where the sums of days differ from the Usage rows; where it `mends`, they are put right first.

    It holds the budget's lock, so that no call is booked in between.
    """
    with transaction.atomic():
        lock_budget(organization)
        counted, true = _list_counted(organization), _sum_usage(organization)
        keys = sorted((key for key in {*counted, *true} if counted.get(key) != true.get(key)), key=str)
        if mends:
            _write(organization, keys, true)
    for key in keys:
        yield Difference(organization, key, counted.get(key), true.get(key))


def _list_counted(organization: Organization) -> Mapping[Key, Sums]:
    """Name nobody for people whose account is gone, as the Usage rows do."""
    people = set(User.objects.values_list("pk", flat=True))
    counted: dict[Key, Sums] = {}
    for row in UsageDay.objects.for_org(organization).values_list(*KEY, *SUMS):
        key, sums = list(row[: len(KEY)]), row[len(KEY) :]
        key[KEY.index("person")] = key[KEY.index("person")] if key[KEY.index("person")] in people else ""
        earlier = counted.get(tuple(key), (0,) * len(SUMS))
        counted[tuple(key)] = tuple(map(sum, zip(earlier, sums, strict=True)))
    return {key: sums for key, sums in counted.items() if any(sums)}


def _sum_usage(organization: Organization) -> Mapping[Key, Sums]:
    columns = ("purpose", "model", "user", "tool", "prompt_revid")
    rows = Usage.objects.for_org(organization).order_by().annotate(day=TruncDate("created_at", tzinfo=UTC))
    sums = rows.values("day", *columns).annotate(
        calls=Count("pk"),
        unpriced_calls=Count("pk", filter=Q(price_known=False)),
        **{f"sum_{name}": Sum(name) for name in (*TOKENS, "cost_micros")},
    )
    names = ("calls", "unpriced_calls", *(f"sum_{name}" for name in (*TOKENS, "cost_micros")))
    return {(row["day"], *(row[name] or "" for name in columns)): tuple(row[name] for name in names) for row in sums}


def _write(organization: Organization, keys: list[Key], true: Mapping[Key, Sums]) -> None:
    people = list(User.objects.values_list("pk", flat=True))
    for key in keys:
        where = dict(zip(KEY, key, strict=True))
        same = UsageDay.objects.for_org(organization).filter(**where)
        if not where["person"]:
            others = {name: value for name, value in where.items() if name != "person"}
            same = UsageDay.objects.for_org(organization).filter(**others).exclude(person__in=people)
        same.delete()
        if key in true:
            sums = dict(zip(SUMS, true[key], strict=True))
            UsageDay.objects.create(organization=organization, **where, **sums)


def first_day(organization: Organization) -> date | None:
    """The first day of which there are sums."""
    return UsageDay.objects.for_org(organization).order_by("day").values_list("day", flat=True).first()
