from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from accounts.models import Organization
from accounts.models.scoped import ScopedQuerySet
from documents.models.document import Document
from documents.models.reading import Reading
from kit.rows.models import Row


class WordIndex(models.Model):
    """The words of one organization's pages. Its number stands in each term, so that no term is another's."""

    organization = models.OneToOneField(Organization, on_delete=models.CASCADE, related_name="+")
    word_count = models.PositiveIntegerField("words on its list", default=0)

    class Meta:
        verbose_name_plural = "word indexes"

    def __str__(self) -> str:
        return f"words of {self.organization}"

    @property
    def code(self) -> str:
        return f"{self.pk:x}"


class IndexedPage(models.Model):
    """A page that is found by its words, or a part of a very long one; its terms are kept by documents.index.words.

    Of a document there are those of one reading, which documents.index.words.indexing replaces all at once. Whether the
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


class EmbeddingChoice(Row):
    """An organization's own model for embeddings. No row: EMBEDDING_MODEL."""

    organization = models.OneToOneField(Organization, on_delete=models.CASCADE, related_name="embedding_choice")
    model = models.CharField("model; empty: none, words alone", max_length=200, blank=True)

    def __str__(self) -> str:
        return f"embedding model of {self.organization}"

    @classmethod
    def find_name(cls, organization_id: str) -> str:
        """The model that was chosen for it; empty: none."""
        names = cls.objects.filter(organization=organization_id).values_list("model", flat=True)
        return next(iter(names), settings.EMBEDDING_MODEL)


class PageChunk(models.Model):
    """Some lines of a page as a model sees them. `vector`: `dimensions` float16 numbers, together of length 1.

    Whether the document may be seen is asked of the document. `digest` is of the text: the same text is paid once.
    """

    id = models.BigAutoField(primary_key=True)
    organization = models.ForeignKey(Organization, on_delete=models.CASCADE, related_name="+", db_index=False)
    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="chunks")
    # As with the words: no reading is deleted before its document's chunks are.
    reading = models.ForeignKey(
        Reading, on_delete=models.DO_NOTHING, related_name="+", db_index=False, db_constraint=False
    )
    page = models.PositiveIntegerField()
    first_line = models.PositiveIntegerField()
    last_line = models.PositiveIntegerField()
    model = models.CharField(max_length=200)
    dimensions = models.PositiveIntegerField()
    digest = models.CharField(max_length=32)
    vector = models.BinaryField()

    objects = ScopedQuerySet["PageChunk"].as_manager()

    class Meta:
        indexes = [models.Index(fields=["organization", "model", "-id"], name="chunks_to_compare")]

    def __str__(self) -> str:
        return f"lines {self.page}.{self.first_line} to {self.page}.{self.last_line} of {self.document}"


class QueryVector(Row):
    """A search as numbers, for some minutes. Without `vector` and `problem` a worker is asked for it."""

    MAX_LETTERS = 500

    organization = models.ForeignKey(Organization, on_delete=models.CASCADE, related_name="+", db_index=False)
    model = models.CharField(max_length=200)
    text = models.CharField(max_length=MAX_LETTERS)
    vector = models.BinaryField(null=True)
    problem = models.CharField(max_length=300, blank=True)

    objects = ScopedQuerySet["QueryVector"].as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["organization", "model", "text"], name="query_vector_once")]
        indexes = [models.Index(fields=["created_at"], name="query_vector_age")]

    def __str__(self) -> str:
        return self.text


class CondensedReading(Row):
    """What a model made of a reading: what it says to a question or, without one, a summary. Of each, once."""

    MAX_QUESTION = 500

    organization = models.ForeignKey(Organization, on_delete=models.CASCADE, related_name="+", db_index=False)
    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="+")
    reading = models.ForeignKey(Reading, on_delete=models.CASCADE, related_name="+", db_index=False)
    model = models.CharField(max_length=200)
    question = models.CharField("empty: a summary", max_length=MAX_QUESTION, blank=True)
    question_key = models.CharField(max_length=32)
    text = models.TextField()
    pages = models.JSONField("pages it was made from", default=list)

    objects = ScopedQuerySet["CondensedReading"].as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["reading", "model", "question_key"], name="condensed_reading_once")
        ]

    def __str__(self) -> str:
        return f"{self.question or 'summary'} of {self.document}"


class RankedDocuments(Row):
    """The order that a model has given some documents for a question, for a day. `places`: from 0, the best first."""

    organization = models.ForeignKey(Organization, on_delete=models.CASCADE, related_name="+", db_index=False)
    model = models.CharField(max_length=200)
    key = models.CharField("of the question and the readings", max_length=32)
    places = models.JSONField(default=list)

    objects = ScopedQuerySet["RankedDocuments"].as_manager()

    class Meta:
        verbose_name_plural = "ranked documents"
        constraints = [models.UniqueConstraint(fields=["organization", "model", "key"], name="ranked_documents_once")]

    def __str__(self) -> str:
        return f"order {self.key}"


class StoredComparison(Row):
    """The comparison of two readings, computed once. `content` is packed by documents.comparing.packing.

    Another `version` of the code compares anew, in the place of the row.
    """

    organization = models.ForeignKey(Organization, on_delete=models.CASCADE, related_name="+")
    one = models.ForeignKey(
        Reading, on_delete=models.CASCADE, related_name="+", db_index=False, verbose_name="the older text"
    )
    other = models.ForeignKey(Reading, on_delete=models.CASCADE, related_name="+", verbose_name="the newer text")
    version = models.PositiveIntegerField("version of the code that compared them")
    size = models.PositiveIntegerField("bytes")
    content = models.BinaryField()

    objects = ScopedQuerySet["StoredComparison"].as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["one", "other"], name="stored_comparison_once")]

    def __str__(self) -> str:
        return f"{self.one} beside {self.other}"


class FileChunkQuerySet(ScopedQuerySet["FileChunk"]):
    organization_path = "reading__document__organization"


class FileChunk(Row):
    """A named part of a nested file, as its newest reading has it: an operation, a schema, a subtree."""

    reading = models.ForeignKey(Reading, on_delete=models.CASCADE, related_name="file_chunks")
    position = models.PositiveIntegerField("in the file, from 1")
    kind = models.CharField(max_length=20)
    name = models.CharField("in its file", max_length=300)
    title = models.CharField(max_length=200, blank=True)
    address = models.CharField(max_length=500, blank=True)
    first_page = models.PositiveIntegerField()
    first_line = models.PositiveIntegerField()
    last_page = models.PositiveIntegerField()
    last_line = models.PositiveIntegerField()
    content = models.TextField(editable=False)
    spans = models.JSONField("page, first and last line", default=list, blank=True, editable=False)
    letters_left = models.PositiveIntegerField("letters that its content has not", default=0)
    references = models.JSONField("parts that it refers to", default=list, blank=True, editable=False)
    references_left = models.PositiveIntegerField("references that are not followed", default=0)
    is_cut_off = models.BooleanField("whether parts behind it are left out", default=False)

    objects = FileChunkQuerySet.as_manager()

    class Meta:
        ordering = ["position"]
        constraints = [models.UniqueConstraint(fields=["reading", "position"], name="file_chunk_once")]
        indexes = [
            models.Index(fields=["reading", "address"], name="file_chunk_address"),
            models.Index(fields=["reading", "name"], name="file_chunk_name"),
            models.Index(fields=["reading"], condition=Q(is_cut_off=True), name="file_chunk_cut_off"),
        ]

    def __str__(self) -> str:
        return f"{self.name} of {self.reading}"
