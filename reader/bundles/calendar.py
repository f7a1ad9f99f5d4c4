"""A calendar file (ICS): its entries as in mails."""

from collections.abc import Iterator
from typing import BinaryIO

from reader.bundles.invitations import list_blocks
from reader.gaps import Gap
from reader.layout.blocks import Block
from reader.markup.plain_lines import read_text
from reader.pages import Limits


def read_blocks(file: BinaryIO, limits: Limits) -> Iterator[Block | Gap]:
    decoded = read_text(file, limits)
    yield from decoded.list_gaps()
    yield from list_blocks(decoded.text)
