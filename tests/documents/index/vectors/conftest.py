from __future__ import annotations

from typing import Any

import pytest

from tests.documents.index.vectors.embedded import MODEL
from tests.scripted_model import ScriptedModel


@pytest.fixture
def concepts(scripted_model: ScriptedModel, settings: Any) -> ScriptedModel:
    """The scripted model, which the settings name for embeddings as well."""
    settings.EMBEDDING_MODEL = MODEL
    return scripted_model
