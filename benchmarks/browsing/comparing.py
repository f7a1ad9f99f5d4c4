"""Two long texts compared: seconds of CPU of the first visit and of the next ones, and their ratio.

    python -m benchmarks.browsing.comparing [words]

160,000 words in two versions by default, on SQLite in this process. The page, its file and the bare comparison are
asked for; `first` computes, `next` loads. To reach: the next comparison takes a fifth of the first.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from statistics import median

from benchmarks.instruments import embedded

if __name__ == "__main__":
    embedded.start()

from django.test import Client
from django.urls import reverse

from accounts.services import organizations, users
from documents.comparing import compare_readings
from documents.models import StoredComparison
from kit.static_files.collecting import collect_changed
from tests.documents.compared_texts import change_contract, make_contract, number_clauses, set_pages, store_pages

WORDS, WORDS_A_CLAUSE = 160_000, 135
TIMES, MAX_SHARE = 5, 0.2


def main(words: int) -> int:
    person = users.create(None, email="a@example.org", password=None, name="A", is_superuser=True)
    organization = organizations.create(person, name="Compared")
    clauses = make_contract(words // WORDS_A_CLAUSE)
    one, other = (
        store_pages(organization, f"{at}.pdf", set_pages(number_clauses(text), width=110, height=60))
        for at, text in enumerate((clauses, change_contract(clauses)[0]))
    )
    collect_changed()
    client = Client(SERVER_NAME="localhost")
    client.force_login(person)
    address = f"{reverse('compare', args=[organization.pk])}?ids={one.pk}+{other.pk}"
    calls: dict[str, Callable[[], object]] = {
        "comparison": lambda: compare_readings(one.readings.get(), other.readings.get()),
        "page": lambda: client.get(address),
        "file": lambda: client.get(f"{address}&form=csv"),
    }
    print(f"{sum(len(page) for page in set_pages(number_clauses(clauses))):,} words in each of two texts")
    shares = {name: measure(name, call) for name, call in calls.items()}
    (size,) = StoredComparison.objects.values_list("size", flat=True)
    found = compare_readings(one.readings.get(), other.readings.get())
    print(f"{len(found.changes):,} changes, stored in {size / 1024:,.0f} kB")
    return int(shares["comparison"] > MAX_SHARE)


def measure(name: str, call: Callable[[], object]) -> float:
    """The share of the first visit that the next ones take."""
    call()
    StoredComparison.objects.all().delete()
    first = spend(call)
    again = median(spend(call) for _ in range(TIMES))
    print(f"{name:12} first {first:.3f} s, next {again:.3f} s: {again / first:.3f} times")
    return again / first


def spend(call: Callable[[], object]) -> float:
    began = time.process_time()
    call()
    return time.process_time() - began


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="?", type=int, default=WORDS)
    sys.exit(main(parser.parse_args().words))
