"""The built-in offline model: a deterministic planner that plays a language model by rules.

It knows nothing of litellm or Django; `answer` turns one OpenAI-style request into one reply.
"""

from offline_model.answering import answer
from offline_model.chat.planner import asks_beyond
from offline_model.reply import ChatRequest, Reply

__all__ = ["ChatRequest", "Reply", "answer", "asks_beyond"]
