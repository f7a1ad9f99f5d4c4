"""Rows of models, keys, prices and money. Their app label stays `documents`, so their tables and migrations do."""

from llm.models.model_call import ModelCall
from llm.models.model_provider import ModelProvider
from llm.models.provider_key import ProviderKey
from llm.models.spending import Budget, LanguageModel, ModelPrice, Reservation, Usage, UsageDay

__all__ = [
    "Budget",
    "LanguageModel",
    "ModelCall",
    "ModelPrice",
    "ModelProvider",
    "ProviderKey",
    "Reservation",
    "Usage",
    "UsageDay",
]
