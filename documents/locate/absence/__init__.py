"""Null is an answer too: the labels that were looked for, and what stands beside them."""

from documents.locate.absence.proving import prove_absence

__all__ = ["prove_absence"]
