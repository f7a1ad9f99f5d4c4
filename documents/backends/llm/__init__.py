"""Models. `ask` is the only way to one; importing this package does not import litellm."""

from documents.backends.llm.door import ask, ask_whole
from documents.backends.llm.exchange import (
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
