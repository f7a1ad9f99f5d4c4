"""Models. `ask` is the only way to one; importing this package does not import litellm."""

from documents.backends.llm.model_client import ask, ask_longer, ask_whole
from documents.backends.llm.types import (
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
from documents.backends.llm.wire import ChatMessage, MessageCall, ToolChoice, ToolSchema

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
