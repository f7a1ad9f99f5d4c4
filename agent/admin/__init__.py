from agent.admin import calls, conversations, outside, scope_profiles

__all__ = ["calls", "conversations", "outside", "scope_profiles"]
