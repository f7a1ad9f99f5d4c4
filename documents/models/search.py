from __future__ import annotations

from django.db import models

from accounts.models import Organization
from documents.models.document import Document, Reading
from documents.models.scoped import ScopedQuerySet


class WordIndex(models.Model):
    """The words of one organization's pages. Its number stands in each term, so that no term is another's."""

    organization = models.OneToOneField(Organization, on_delete=models.CASCADE, related_name="+")
    word_count = models.PositiveIntegerField("words on its list", default=0)

    def __str__(self) -> str:
        return f"words of {self.organization}"

    @property
    def code(self) -> str:
        return f"{self.pk:x}"


class IndexedPage(models.Model):
    """A page that is found by its words, or a part of a very long one; its terms are kept by documents.word_index.

    Of a document there are those of one reading, which documents.word_index.indexing replaces all at once. Whether the
    document may be seen is asked of the document: the index may be late.
    """

    id = models.BigAutoField(primary_key=True)
    organization = models.ForeignKey(Organization, on_delete=models.CASCADE, related_name="+", db_index=False)
    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="indexed_pages")
    # No reading is deleted before the words of its document are, so nothing has to look for them here.
    reading = models.ForeignKey(
        Reading, on_delete=models.DO_NOTHING, related_name="+", db_index=False, db_constraint=False
    )
    number = models.PositiveIntegerField()
    part = models.PositiveSmallIntegerField(default=0)

    objects = ScopedQuerySet["IndexedPage"].as_manager()

    def __str__(self) -> str:
        return f"words of page {self.number} of {self.document}"


class IndexedWord(models.Model):
    """A word that some page of the organization has: by it a typing error is forgiven and a part of a word found."""

    MAX_LETTERS = 60

    organization = models.ForeignKey(Organization, on_delete=models.CASCADE, related_name="+", db_index=False)
    word = models.CharField(max_length=MAX_LETTERS)
    reversed_word = models.CharField(max_length=MAX_LETTERS)

    objects = ScopedQuerySet["IndexedWord"].as_manager()

    class Meta:
        # PostgreSQL finds what begins with some letters in this order only.
        constraints = [
            models.UniqueConstraint(
                fields=["organization", "word"], opclasses=["varchar_pattern_ops"] * 2, name="indexed_word_once"
            )
        ]
        indexes = [
            models.Index(
                fields=["organization", "reversed_word"],
                opclasses=["varchar_pattern_ops"] * 2,
                name="indexed_word_end",
            ),
        ]

    def __str__(self) -> str:
        return self.word
