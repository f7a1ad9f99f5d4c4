"""The built-in offline model: a deterministic planner that plays a language model by rules.

It knows nothing of litellm or Django; `answer` turns one OpenAI-style request into one reply.
"""

from documents.backends.offline.answering import answer
from documents.backends.offline.reply import ChatRequest, Reply

__all__ = ["ChatRequest", "Reply", "answer"]
