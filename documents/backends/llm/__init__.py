"""Models. `ask` is the only way to one; importing this package does not import litellm."""

from documents.backends.llm.model_client import ask, ask_whole
from documents.backends.llm.types import (
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

__all__ = [
    "BudgetAccount",
    "Cancelled",
    "Cost",
    "Delta",
    "ModelAnswer",
    "ModelFailed",
    "ModelRequest",
    "Quote",
    "WireCall",
    "ask",
    "ask_whole",
]
