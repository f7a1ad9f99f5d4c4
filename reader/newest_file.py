"""The content of the file that was asked for last, kept for the next call."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import BinaryIO, Generic, TypeVar

Content = TypeVar("Content")


@dataclass
class NewestFile(Generic[Content]):
    """Pages are asked for one by one, and only the whole file gives any."""

    # Kept open, so that no other file gets its number.
    descriptor: int | None = None
    identity: tuple[object, ...] = ()
    content: Content | None = None

    def get(self, file: BinaryIO, kept_by: tuple[int, str], load: Callable[[], Content]) -> Content:
        state = os.fstat(file.fileno())
        identity = (state.st_dev, state.st_ino, state.st_size, state.st_mtime_ns, kept_by)
        if self.content is None or identity != self.identity:
            self.forget()
            self.content = load()
            self.descriptor, self.identity = os.dup(file.fileno()), identity
        return self.content

    def forget(self) -> None:
        if self.descriptor is not None:
            os.close(self.descriptor)
        self.descriptor, self.identity, self.content = None, (), None
