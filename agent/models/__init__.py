from agent.models.agent_settings import AgentSettings
from agent.models.call import CALL_LEASE, Decision, Rule, ToolCall
from agent.models.compaction import Compaction
from agent.models.thread import Event, Message, Thread
from agent.models.turn import TURN_LEASE, Turn

__all__ = [
    "CALL_LEASE",
    "TURN_LEASE",
    "AgentSettings",
    "Compaction",
    "Decision",
    "Event",
    "Message",
    "Rule",
    "Thread",
    "ToolCall",
    "Turn",
]
