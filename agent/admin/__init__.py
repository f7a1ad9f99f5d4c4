from agent.admin import calls, conversations

__all__ = ["calls", "conversations"]
