"""Finds the words of the pages that each extracted value comes from."""

from documents.locate.locating import locate
from documents.locate.pointed import locate_pointed

__all__ = ["locate", "locate_pointed"]
