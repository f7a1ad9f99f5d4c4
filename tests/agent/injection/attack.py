"""One document that tries to give an order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.agent.injection import files
from tests.agent.injection.orders import ROWS, Call


@dataclass(frozen=True)
class Attack:
    """`arrives` is False where our reading keeps the order from models on purpose, and `kept_by` says how.

    `carrier`: where the order stands instead of on the page, one of ROWS; "extraction" only gives the document one,
    "reference" the organization a schema from before the check.
    `says` is what the model is ordered to write. One that `insists` makes it try again after a refusal.
    """

    number: int
    kind: str
    hidden: str
    file_name: str
    content: bytes
    calls: tuple[Call, ...]
    order: str
    arrives: bool = True
    kept_by: str = ""
    carrier: str = ""
    says: str = ""
    insists: bool = False
    metadata: dict[str, str] = field(default_factory=dict)

    @property
    def word(self) -> str:
        return word_of(self.number)


def word_of(number: int) -> str:
    return f"ORDER-{number:02}"


class Collection:
    def __init__(self) -> None:
        self.attacks: list[Attack] = []

    def add(
        self,
        kind: str,
        hidden: str,
        *calls: Call,
        text: str = "{order}",
        build: Callable[[str], bytes] = files.invoice_pdf,
        ending: str = "pdf",
        name: str = "",
        **more: Any,
    ) -> None:
        """`text` holds {order}, which is where the word goes; `name` and metadata may hold it too."""
        number = len(self.attacks) + 1
        word = word_of(number)
        filled = text.replace("{order}", word)
        file_name = name.replace("{order}", word) or f"attack-{number:02}.{ending}"
        if "metadata" in more:
            more["metadata"] = {key: value.replace("{order}", word) for key, value in more["metadata"].items()}
        # The first of each kind: what follows a refusal is the same for the others.
        insists = bool(calls) and kind not in {attack.kind for attack in self.attacks if attack.insists}
        content = build("" if more.get("carrier") in ROWS else filled)
        self.attacks.append(Attack(number, kind, hidden, file_name, content, calls, filled, insists=insists, **more))
