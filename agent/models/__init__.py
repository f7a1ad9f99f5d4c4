from agent.models.call import Decision, Rule, ToolCall
from agent.models.thread import Event, Message, Thread
from agent.models.turn import Turn

__all__ = ["Decision", "Event", "Message", "Rule", "Thread", "ToolCall", "Turn"]
