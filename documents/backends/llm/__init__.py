"""Models. `ask` is the only way to one; importing this package does not import litellm."""

from documents.backends.llm.door import ask
from documents.backends.llm.exchange import (
    Cancelled,
    Cost,
    Delta,
    ModelAnswer,
    ModelFailed,
    ModelRequest,
    Spender,
    WireCall,
)

__all__ = ["Cancelled", "Cost", "Delta", "ModelAnswer", "ModelFailed", "ModelRequest", "Spender", "WireCall", "ask"]
