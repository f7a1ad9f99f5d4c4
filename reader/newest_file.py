"""The pages of the file that was asked for last, kept for the next call."""

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import BinaryIO, Generic, TypeVar

Page = TypeVar("Page")


@dataclass
class NewestFile(Generic[Page]):
    """Pages are asked for one by one, and only the whole file gives any."""

    # Kept open, so that no other file gets its number.
    descriptor: int | None = None
    identity: tuple[int, ...] = ()
    pages: list[Page] = field(default_factory=list)

    def get_pages(self, file: BinaryIO, max_pages: int, make_pages: Callable[[], list[Page]]) -> list[Page]:
        state = os.fstat(file.fileno())
        identity = (state.st_dev, state.st_ino, state.st_size, state.st_mtime_ns, max_pages)
        if identity != self.identity:
            self.forget()
            self.pages = make_pages()
            self.descriptor, self.identity = os.dup(file.fileno()), identity
        return self.pages

    def forget(self) -> None:
        if self.descriptor is not None:
            os.close(self.descriptor)
        self.descriptor, self.identity, self.pages = None, (), []
