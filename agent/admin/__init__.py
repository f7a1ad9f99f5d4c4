from agent.admin import calls, conversations, outside

__all__ = ["calls", "conversations", "outside"]
