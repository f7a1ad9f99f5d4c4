"""Finds the words of the pages that each extracted value comes from."""

from documents.locate.locating import locate
from documents.locate.pointed import found_at

__all__ = ["found_at", "locate"]
