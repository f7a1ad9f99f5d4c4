"""The interface of every form of a file of results."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from documents.results.loading import ResultDocument
from documents.results.omissions import Omissions
from documents.results.tables import Tabulator
from kit.formats import count_noun


@dataclass
class Summary:
    """`documents` and `rows` that were written; `proposed` documents have values of a prompt nobody has accepted."""

    documents: int = 0
    rows: int = 0
    proposed: int = 0
    omissions: Omissions = field(default_factory=Omissions)

    @property
    def is_remarkable(self) -> bool:
        return bool(self.omissions or self.proposed)

    def describe(self) -> str:
        omissions = self.omissions
        left_out = [f"{count_noun(omissions.left_out, 'document')} left out"]
        left_out += [count_noun(omissions.in_part, "note")] * bool(omissions.in_part)
        parts = [f"{count_noun(self.documents, 'document')}, {count_noun(self.rows, 'row')}", ", ".join(left_out)]
        if self.proposed:
            parts.append(f"{count_noun(self.proposed, 'document')} with values of a proposal that nobody has accepted")
        return f"{'; '.join(parts)}."


class ResultWriter(ABC):
    """`note_work` is called while a long part is under way."""

    def __init__(self, tabulator: Tabulator, note_work: Callable[[], None] = lambda: None) -> None:
        self.tabulator, self.note_work = tabulator, note_work

    @abstractmethod
    def begin(self) -> bytes: ...

    @abstractmethod
    def add(self, document: ResultDocument) -> int:
        """Add it; the answer is the number of its rows."""

    @abstractmethod
    def take(self) -> bytes:
        """Take the bytes that may be sent by now; a form that is written in one piece has none."""

    @abstractmethod
    def finish(self, summary: Summary) -> Iterator[bytes]: ...

    def close(self) -> None:  # noqa: B027 - most forms keep nothing on the disk
        """Removes what lies on the disk, however it ended."""
