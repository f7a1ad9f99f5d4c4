"""A table over many pages, and a model that copies its rows as far as its answer may be long."""

from __future__ import annotations

import json
import re
from typing import Any

from tests.scripted_model import Json, Reply, ScriptedModel, says

LETTERS_A_TOKEN = 2
# So many servers count, which is more than a table of digits and marks has in most tokens.
LETTERS_ELSEWHERE = 4
ROW = re.compile(r"^\[([\d.]+)\] (P-\d+) \| Pipe \| ([\d.]+)$", re.MULTILINE)


def make_pages(pages: int, rows: int) -> list[list[str]]:
    """Rows are counted through: `P-00007 | Pipe | 7.50`."""
    head = "SKU | Description | Amount"
    table = [[head, *(f"P-{at:05} | Pipe | {at}.50" for at in range(n * rows, (n + 1) * rows))] for n in range(pages)]
    return [["Invoice | INV-7", *table[0]], *table[1:-1], [*table[-1], f"Total | {pages * rows}"]]


class CopyingModel(ScriptedModel):
    """Gives the rows of the pages that it is shown, after the one that it is told was the last, and their lines."""

    def __init__(self, letters: int = LETTERS_A_TOKEN, cut_reason: str = "length") -> None:
        super().__init__()
        self.letters, self.cut_reason = letters, cut_reason
        self.output = self.cut = 0

    def next_reply(self, body: Json, headers: dict[str, str]) -> Reply:
        self.requests.append(body)
        text = json.dumps(self.copy(body["messages"][-1]["content"]))
        limit = body["max_tokens"] * self.letters
        answered = text[:limit]
        self.output += len(answered) // self.letters
        self.cut += len(text) > limit
        usage = len(json.dumps(body["messages"])) // self.letters, len(answered) // self.letters
        pieces = [answered[at : at + 100] for at in range(0, len(answered), 100)]
        return says(*pieces).with_finish(self.cut_reason if len(text) > limit else "stop").with_usage(*usage)

    def copy(self, content: str) -> dict[str, Any]:
        last = re.search(r'<data kind="last_row">\s*(.*?)\s*</data>', content, re.DOTALL)
        after = json.loads(last[1])["row"]["sku"] if last else ""
        read = [
            (line, {"sku": sku, "amount": float(amount)}) for line, sku, amount in ROW.findall(content) if sku > after
        ]
        lines = {"_lines": f"items {read[0][0]}-{read[-1][0]}"} if read else {}
        number, total = re.search(r"(INV-\d+)", content), re.search(r"Total \| (\d+)", content)
        last_field = {"total": float(total[1])} if total else {}
        return {**lines, "number": number[1] if number else "", "items": [row for _, row in read], **last_field}
