"""Whether numbers that were added up are amounts in different currencies, by the lines that say them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal

from agent.citations.statements.facts import list_numbers
from agent.citations.statements.proofs import Proof

# What is multiplied or divided may be converted.
_CONVERTS = re.compile(r"[*/%]")


def adds_up_currencies(expression: str, proofs: Iterable[Proof]) -> bool:
    """An amount that is said in several currencies may be of any of them."""
    if _CONVERTS.search(expression):
        return False
    sought = {abs(value) for values in list_numbers(expression).values() for value in values}
    currencies: dict[Decimal, frozenset[str]] = {}
    for proof in proofs:
        for each in proof.measured:
            if each.unit and each.unit.is_money:
                for value in sought.intersection(map(abs, each.values)):
                    currencies[value] = currencies.get(value, frozenset()) | each.unit.kinds
    return bool(currencies) and not frozenset.intersection(*currencies.values())
