"""Bodies of prompts, as clients send them."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from accounts.api.wire.fields import RequestBody, StrictTextField, TrueOrFalse
from documents.catalog.metadata import MAX_PAIRS
from documents.types.catalogue import MAX_TYPES
from llm import models_catalogue


class KeysField(serializers.ListField):
    """Keys of metadata: no more than a document can have."""

    child = StrictTextField()

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=MAX_PAIRS, **options)


class Include(RequestBody):
    ocr_text = TrueOrFalse(default=True)
    metadata_keys = KeysField(default=list)
    pdf = TrueOrFalse(default=True)


class PromptChange(RequestBody):
    """A field that is left out stays as it is. Null takes schema, tags and keys away; it means the usual ones.

    `document_types` are the types that it is for, by key or name: on documents that are surely of another it is held.
    An empty list is any type; with null they are told from its uses.
    """

    name = StrictTextField(required=False)
    content = StrictTextField(required=False, trim_whitespace=False)
    schema_id = StrictTextField(required=False, allow_null=True, allow_blank=True)
    schema_version = serializers.IntegerField(required=False, allow_null=True)
    tag_ids = serializers.ListField(child=StrictTextField(), required=False, allow_null=True)
    model = StrictTextField(required=False, allow_null=True, allow_blank=True)
    kb_id = StrictTextField(required=False, allow_null=True, allow_blank=True)
    peer_match_keys = serializers.ListField(
        child=StrictTextField(), max_length=MAX_PAIRS, required=False, allow_null=True
    )
    include = Include(required=False, allow_null=True)
    document_types = serializers.ListField(
        child=StrictTextField(), max_length=MAX_TYPES, required=False, allow_null=True
    )


class PromptConfig(PromptChange):
    """A whole prompt. Without `schema_version` the schema's latest version counts."""

    name = StrictTextField()
    content = StrictTextField(trim_whitespace=False)
    schema_id = StrictTextField(allow_null=True, allow_blank=True, default=None)
    schema_version = serializers.IntegerField(allow_null=True, default=None)
    tag_ids = serializers.ListField(child=StrictTextField(), allow_null=True, default=list)
    model = StrictTextField(allow_null=True, allow_blank=True, default=models_catalogue.CLIENT_DEFAULTS[0])
    kb_id = StrictTextField(allow_null=True, allow_blank=True, default=None)
    peer_match_keys = serializers.ListField(
        child=StrictTextField(), max_length=MAX_PAIRS, allow_null=True, default=list
    )
    include = Include(allow_null=True, default=None)
