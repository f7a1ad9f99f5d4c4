"""Each matter has types of documents that tell of it, and perhaps a subject."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Matter:
    """`of` are the types that it is asked of first, `also` those that may tell of it.

    `subject` is empty for matters that documents of any subject have: what something cost, when it ends.
    """

    name: str
    of: frozenset[str]
    also: frozenset[str] = frozenset()
    subject: str = ""
    alone: bool = False
    """Whether the matter decides against generic ones in the same clause."""


_PAPERS = frozenset({"contract", "letter", "form", "report"})
TRADE = frozenset({"invoice", "receipt", "credit note", "order", "delivery note", "statement"})
_SPENT = frozenset({"invoice", "receipt", "credit note"})
_none: frozenset[str] = frozenset()

_ALL = (
    Matter("price", of=_SPENT, also=frozenset({"order", "statement"})),
    Matter("due", of=frozenset({"invoice"}), also=frozenset({"credit note", "statement", "order", "receipt"})),
    Matter("tax", of=_SPENT, also=frozenset({"order"})),
    Matter("discount", of=frozenset({"invoice"}), also=frozenset({"credit note", "order"})),
    Matter("supplier", of=_none, also=TRADE, subject="purchases"),
    Matter("customer", of=_none, also=TRADE | {"letter"}, subject="sales", alone=True),
    Matter("net", of=_SPENT | {"payslip"}),
    Matter("agreed", of=frozenset({"contract"})),
    Matter("wages", of=frozenset({"payslip"}), subject="wages", alone=True),
    Matter("bank", of=frozenset({"statement"}), subject="bank", alone=True),
    Matter("employment", of=_none, also=_PAPERS | {"payslip", "identity paper"}, subject="staff"),
    Matter("leave", of=_none, also=_PAPERS, subject="staff"),
    Matter("training", of=_none, also=_PAPERS, subject="staff"),
    Matter("appraisal", of=frozenset({"report"}), also=_PAPERS, subject="staff"),
    Matter("lease", of=frozenset({"contract"}), also=_PAPERS, subject="lettings"),
    Matter("termination", of=frozenset({"contract"}), also=frozenset({"letter"})),
    Matter("insurance", of=_none, also=_PAPERS, subject="insurance"),
    Matter("delivery", of=frozenset({"delivery note"}), also=frozenset({"order", "invoice"}), subject="deliveries"),
    Matter("identity", of=frozenset({"identity paper"}), also=frozenset({"form", "contract"}), subject="identity"),
    Matter("meeting", of=frozenset({"report"}), subject="meetings"),
    Matter("quality", of=frozenset({"report"}), subject="quality"),
    Matter("medical", of=_none, also=frozenset({"letter", "report", "form"}), subject="medicine"),
)
MATTERS: Mapping[str, Matter] = {matter.name: matter for matter in _ALL}
WORLD = "world"
"""The matter of all that no document is asked for: weather, poems, sports."""
