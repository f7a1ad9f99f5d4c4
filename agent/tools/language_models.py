"""The models that a prompt can name."""

from __future__ import annotations

from django.conf import settings

from agent.toolkit.registry import Result, ToolContext, tool
from agent.tools.listing import summarize_list
from documents.models import LanguageModel
from llm import models_catalogue
from llm.money.budgets import format_dollars

MAX_MODELS = 60


@tool(category="help", access="read", title="List models", icon="i-bot", summary=summarize_list("model"), is_rare=True)
def list_llm_models(context: ToolContext) -> Result:
    """The language models that prompts can use here now, the organization's defaults first, with their prices."""
    organization = context.actor.organization
    usable = models_catalogue.list_chat_models(organization)
    defaults = {
        "default_for_extractions": settings.EXTRACTION_MODEL,
        "default_for_the_agent": settings.DEFAULT_MODEL,
    }
    return {"models": [_describe_model(model) for model in usable[:MAX_MODELS]], "total_count": len(usable), **defaults}


def _describe_model(model: LanguageModel) -> Result:
    """Prices are in dollars for a million tokens."""
    return {
        "model": model.name,
        "provider": model.provider,
        "input_price": _format_price(model.input_micros_per_mtok),
        "output_price": _format_price(model.output_micros_per_mtok),
        "most_input_tokens": model.max_input_tokens,
    }


def _format_price(micros: int | None) -> str:
    return "unknown" if micros is None else f"{format_dollars(micros)} a million tokens"
