"""The generator of the document, on drf-spectacular."""

from __future__ import annotations

from docrouter.openapi.introduction import INTRODUCTION
from docrouter.version import VERSION

SPECTACULAR_SETTINGS = {
    "TITLE": "DocRouter",
    "DESCRIPTION": INTRODUCTION,
    "VERSION": VERSION,
    "OAS_VERSION": "3.1.1",
    "SERVERS": [{"url": "/"}],
    "ENABLE_DJANGO_DEPLOY_CHECK": False,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "ENFORCE_NON_BLANK_FIELDS": True,
    # Else every field of a PATCH may be left out, whatever its serializer says.
    "COMPONENT_SPLIT_PATCH": False,
    "PREPROCESSING_HOOKS": ["docrouter.openapi.hooks.only_routes"],
    "POSTPROCESSING_HOOKS": ["docrouter.openapi.hooks.with_shapes"],
}
