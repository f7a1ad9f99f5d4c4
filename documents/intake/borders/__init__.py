"""Where in a file the next document seems to begin, with the reasons, for a person to decide."""

from documents.intake.borders.noting import list_borders, note_waiting
from documents.intake.borders.proposing import Border, propose_borders

__all__ = ["Border", "list_borders", "note_waiting", "propose_borders"]
