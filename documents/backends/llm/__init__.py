"""Models. `ask` is the only way to one; importing this package does not import litellm."""

from documents.backends.llm.model_client import ask, ask_whole
from documents.backends.llm.types import (
    Cancelled,
    Cost,
    Delta,
    ModelAnswer,
    ModelFailed,
    ModelRequest,
    Quote,
    Spender,
    WireCall,
)

__all__ = [
    "Cancelled",
    "Cost",
    "Delta",
    "ModelAnswer",
    "ModelFailed",
    "ModelRequest",
    "Quote",
    "Spender",
    "WireCall",
    "ask",
    "ask_whole",
]
