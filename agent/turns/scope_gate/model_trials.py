"""The small model asked about a message that a person tries. A worker asks it, as the web process loads no models."""

from __future__ import annotations

from collections.abc import Sequence

from django.conf import settings

from accounts.actor import Actor
from accounts.models import Organization, Role
from agent.policy import agent_settings
from agent.scope_profiles.applied import classifier
from agent.scope_profiles.applied.classifier import ClassifierFailed
from agent.scope_profiles.profile import Profile
from agent.scope_profiles.requests import Request
from agent.scope_profiles.verdicts import Verdict
from kit.errors import Upstream
from llm import model_calls
from llm.call_shapes import ChatRequest
from llm.models import ModelCall
from llm.money import answer_room, model_prices

LETTERS_A_TOKEN = 4


def find_model(organization: Organization) -> str:
    """The model that judges unclear requests; empty where it is the offline one, which judges none."""
    model = agent_settings.get_joined_settings(organization).scope_model
    return model if classifier.has_classifier(model) else ""


def estimate_micros(organization: Organization, profiles: Sequence[Profile], request: Request) -> int:
    """Estimate the cost of one verdict in millionths of a dollar; an unknown price counts as the ceiling."""
    model = find_model(organization)
    letters = sum(len(str(message["content"])) for message in classifier.build_messages(profiles, request))
    written = answer_room.estimate_usual_tokens(organization, classifier.PURPOSE, model)
    price = model_prices.find_price_or_ceiling(model)
    return price.cost(model, letters // LETTERS_A_TOKEN, min(written, classifier.MAX_TOKENS)).micros


def ask_model(actor: Actor, profiles: Sequence[Profile], request: Request) -> Verdict:
    """Waits for the verdict, which the budget pays. Raises Denied below admin, and Upstream where none came."""
    actor.require(Role.ADMIN)
    body: ChatRequest = {
        "messages": classifier.build_messages(profiles, request),
        "max_tokens": classifier.MAX_TOKENS,
        "temperature": 0,
        "response_format": classifier.FORM,
        "purpose": classifier.PURPOSE,
    }
    kind, model, seconds = ModelCall.Kind.CHAT, find_model(actor.organization), settings.RUN_WAIT_SECONDS
    call = model_calls.store(actor, kind=kind, model=model, request=body, seconds=seconds)
    model_calls.wake(call)
    ended = model_calls.wait_for(call)
    if ended.status != ModelCall.Status.COMPLETED or not ended.answer:
        raise Upstream(ended.reason)
    try:
        return classifier.read_verdict(ended.answer["choices"][0]["message"]["content"])
    except ClassifierFailed as error:
        raise Upstream(str(error)) from error
