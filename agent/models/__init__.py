from agent.models.agent_settings import AgentSettings
from agent.models.call import CALL_LEASE, Decision, Rule, ToolCall
from agent.models.citation import Citation, ReadingAlias
from agent.models.focus import FocusItem
from agent.models.mcp_client import McpClient, McpRequest
from agent.models.outside import OutsideServer, OutsideTool
from agent.models.scope_check import ScopeCheck
from agent.models.scope_profile import ScopeProfile
from agent.models.standing_wish import StandingWish
from agent.models.thread import Event, Message, Thread
from agent.models.thread_summary import ThreadSummary
from agent.models.turn import TURN_LEASE, Turn

__all__ = [
    "CALL_LEASE",
    "TURN_LEASE",
    "AgentSettings",
    "Citation",
    "Decision",
    "Event",
    "FocusItem",
    "McpClient",
    "McpRequest",
    "Message",
    "OutsideServer",
    "OutsideTool",
    "ReadingAlias",
    "Rule",
    "ScopeCheck",
    "ScopeProfile",
    "StandingWish",
    "Thread",
    "ThreadSummary",
    "ToolCall",
    "Turn",
]
