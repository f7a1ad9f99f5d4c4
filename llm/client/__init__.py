"""Models. `ask` is the only way to one; importing this package does not import litellm."""

from llm.client.model_client import ask, ask_longer, ask_whole
from llm.client.types import (
    PICTURE_TOKENS,
    BudgetAccount,
    Cancelled,
    Cost,
    Delta,
    ModelAnswer,
    ModelFailed,
    ModelRequest,
    Quote,
    WireCall,
)
from llm.client.wire import ChatMessage, MessageCall, ToolChoice, ToolSchema

__all__ = [
    "PICTURE_TOKENS",
    "BudgetAccount",
    "Cancelled",
    "ChatMessage",
    "Cost",
    "Delta",
    "MessageCall",
    "ModelAnswer",
    "ModelFailed",
    "ModelRequest",
    "Quote",
    "ToolChoice",
    "ToolSchema",
    "WireCall",
    "ask",
    "ask_longer",
    "ask_whole",
]
