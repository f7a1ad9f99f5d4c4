"""Finds the words of the pages that each extracted value comes from."""

from documents.services.locate.locating import locate

__all__ = ["locate"]
