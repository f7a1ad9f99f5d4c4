"""Splits a message into what the person wrote and the untrusted data blocks beside it."""

import json
import re
from dataclasses import dataclass

OPENING = re.compile(r'<data kind="([a-z_]+)"((?: [a-z_]+="[^"]*")*)>')
ATTRIBUTE = re.compile(r' ([a-z_]+)="([^"]*)"')


@dataclass(frozen=True)
class Block:
    kind: str
    attributes: dict[str, str]
    content: str

    @property
    def payload(self) -> dict[str, object]:
        """The JSON object that the content begins with, empty when it is none. Notes may follow it."""
        try:
            loaded, _ = json.JSONDecoder().raw_decode(self.content.lstrip())
        except ValueError:
            return {}
        return loaded if isinstance(loaded, dict) else {}


def split_blocks(text: str) -> tuple[str, list[Block]]:
    """The plain text and the blocks. An unclosed block takes the rest: data must never read as a request.

    Of the plain text without runs of white space, over which patterns that begin with some take time in their square.
    """
    plain: list[str] = []
    blocks: list[Block] = []
    rows = iter(text.splitlines())
    for row in rows:
        opening = OPENING.fullmatch(row.strip())
        if not opening:
            plain.extend([" ".join(row.split())] if row.strip() else [])
            continue
        body: list[str] = []
        for inner in rows:
            if inner.strip() == "</data>":
                break
            body.append(inner)
        blocks.append(Block(opening.group(1), dict(ATTRIBUTE.findall(opening.group(2))), "\n".join(body)))
    return "\n".join(plain).strip(), blocks
