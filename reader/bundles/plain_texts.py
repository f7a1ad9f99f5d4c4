"""The plain text that a mail brings beside its HTML: shown is what only it says."""

import re
from collections.abc import Iterable, Iterator
from html import unescape

from reader.gaps import Gap
from reader.layout.blocks import Block, Note, Picture, PlainLine, Table

WORD = re.compile(r"[^\W_]+")
ADDRESS = re.compile(r"\b(?:https?://|mailto:|tel:)[^\s<>\"')\]]+", re.I)
# Pictures and links as programs write them into a plain text, and what begins an entry of a list.
MARKS = re.compile(r"\[(?:cid|image):[^\]]{0,500}\]|\[\d{1,4}\]|^\s{0,20}\d{1,3}[.)]\s", re.I)
ONLY_PLAIN = "[only in the plain text of this mail]"


class ShownWords:
    """The words of the blocks that went through `collect`."""

    def __init__(self) -> None:
        self.words: set[str] = set()
        self.addresses: set[str] = set()

    def collect(self, blocks: Iterable[Block | Gap], page: str = "") -> Iterator[Block | Gap]:
        """page: the HTML that they are of, whose links they do not say."""
        self.addresses.update(map(trim_address, ADDRESS.findall(unescape(page))))
        for block in blocks:
            for text in list_block_texts(block):
                self.words.update(list_words(text))
            yield block

    def list_others(self, text: str) -> Iterator[Block | Gap]:
        """The lines of a plain text that say a word more."""
        lines = [line for line in text.splitlines() if self.says_more(line)]
        if lines and self.words:
            yield Note(ONLY_PLAIN)
        yield from self.collect([PlainLine(line) for line in lines])

    def says_more(self, line: str) -> bool:
        rest = MARKS.sub(" ", ADDRESS.sub(self.leave_unknown, line))
        return not self.words.issuperset(list_words(rest))

    def leave_unknown(self, match: re.Match[str]) -> str:
        return " " if trim_address(match.group()) in self.addresses else match.group()


def trim_address(text: str) -> str:
    return text.rstrip(".,;:!?/")


def list_words(text: str) -> list[str]:
    return WORD.findall(text.casefold())


def list_block_texts(block: Block | Gap) -> Iterator[str]:
    if isinstance(block, Table):
        yield from (cell.text for row in block.rows for cell in row)
    elif isinstance(block, Picture):
        yield block.text
    else:
        yield getattr(block, "text", "")
