from agent.models.agent_settings import AgentSettings
from agent.models.call import Decision, Rule, ToolCall
from agent.models.compaction import Compaction
from agent.models.thread import Event, Message, Thread
from agent.models.turn import Turn

__all__ = ["AgentSettings", "Compaction", "Decision", "Event", "Message", "Rule", "Thread", "ToolCall", "Turn"]
