from __future__ import annotations

from django.urls import path

from agent.api import auto_setup, chat, decisions, organization_chat, threads, turns, wishes
from agent.api.overview import audit, inbox, jobs, usage
from agent.api.scope_profiles import routes as scope_profiles

_O = "orgs/<str:organization_id>"
_CHAT = f"{_O}/documents/<str:document_id>/chat"
_AGENT = f"{_O}/chat"
_AUTO = f"{_O}/documents/<str:document_id>/auto_create"
_CALL = f"{_O}/tool_calls/<str:call_id>"
_TURN = f"{_O}/turns/<str:turn_id>"
urlpatterns = [
    path(_CHAT, chat.Chat.as_view(), name="v0-chat"),
    path(f"{_CHAT}/approve", chat.Approve.as_view(), name="v0-chat-approve"),
    path(f"{_CHAT}/tools", chat.ChatTools.as_view(), name="v0-chat-tools"),
    path(f"{_CHAT}/threads", threads.Threads.as_view(), name="v0-chat-threads"),
    path(f"{_CHAT}/threads/<str:thread_id>", threads.OneThread.as_view(), name="v0-chat-thread"),
    path(f"{_CHAT}/threads/<str:thread_id>/steps", threads.Steps.as_view(), name="v0-chat-steps"),
    path(f"{_CHAT}/threads/<str:thread_id>/wishes", wishes.Wishes.as_view(), name="v0-chat-wishes"),
    path(f"{_CHAT}/threads/<str:thread_id>/wishes/<str:wish_id>", wishes.OneWish.as_view(), name="v0-chat-wish"),
    path(f"{_CHAT}/turns/<str:turn_id>", chat.OneTurn.as_view(), name="v0-chat-turn"),
    path(_AGENT, organization_chat.AgentChat.as_view(), name="v0-agent-chat"),
    path(f"{_AGENT}/approve", organization_chat.AgentApprove.as_view(), name="v0-agent-approve"),
    path(f"{_AGENT}/tools", organization_chat.AgentTools.as_view(), name="v0-agent-tools"),
    path(f"{_AGENT}/threads", organization_chat.AgentThreads.as_view(), name="v0-agent-threads"),
    path(f"{_AGENT}/threads/<str:thread_id>", organization_chat.AgentThread.as_view(), name="v0-agent-thread"),
    path(f"{_AGENT}/threads/<str:thread_id>/steps", organization_chat.AgentSteps.as_view(), name="v0-agent-steps"),
    path(f"{_AGENT}/threads/<str:thread_id>/wishes", organization_chat.AgentWishes.as_view(), name="v0-agent-wishes"),
    path(
        f"{_AGENT}/threads/<str:thread_id>/wishes/<str:wish_id>",
        organization_chat.AgentWish.as_view(),
        name="v0-agent-wish",
    ),
    path(f"{_AGENT}/turns/<str:turn_id>", organization_chat.AgentTurn.as_view(), name="v0-agent-turn"),
    path(_AUTO, auto_setup.AutoSetupRequest.as_view(), name="v0-auto-create"),
    path(f"{_AUTO}/log", auto_setup.AutoSetupLog.as_view(), name="v0-auto-create-log"),
    path(f"{_AUTO}/siblings", auto_setup.AutoSetupSiblings.as_view(), name="v0-auto-create-siblings"),
    path(f"{_AUTO}/accept", auto_setup.AutoSetupAccept.as_view(), name="v0-auto-create-accept"),
    path(f"{_AUTO}/reject", auto_setup.AutoSetupReject.as_view(), name="v0-auto-create-reject"),
    path(f"{_AUTO}/retry", auto_setup.AutoSetupRetry.as_view(), name="v0-auto-create-retry"),
    path(f"{_O}/scope_profiles", scope_profiles.ScopeProfiles.as_view(), name="v0-scope-profiles"),
    path(f"{_O}/scope_profiles/<str:subject_id>", scope_profiles.OneScopeProfile.as_view(), name="v0-scope-profile"),
    path(
        f"{_O}/scope_profiles/<str:subject_id>/try",
        scope_profiles.ScopeProfileTrial.as_view(),
        name="v0-scope-profile-try",
    ),
    path(f"{_O}/inbox", inbox.Inbox.as_view(), name="v0-inbox"),
    path(f"{_O}/jobs", jobs.Jobs.as_view(), name="v0-jobs"),
    path(f"{_O}/usage", usage.Usage.as_view(), name="v0-usage"),
    path(f"{_O}/audit", audit.Audit.as_view(), name="v0-audit"),
    path(f"{_O}/approvals", decisions.Approvals.as_view(), name="v0-approvals"),
    path(_CALL, decisions.OneCall.as_view(), name="v0-call"),
    path(f"{_CALL}/decision", decisions.CallDecision.as_view(), name="v0-call-decision"),
    path(f"{_CALL}/undo", decisions.CallUndo.as_view(), name="v0-call-undo"),
    path(f"{_CALL}/undo_chain", decisions.ChainUndo.as_view(), name="v0-call-undo-chain"),
    path(f"{_TURN}/cancel", turns.CancelTurn.as_view(), name="v0-turn-cancel"),
    path(f"{_TURN}/resume", turns.ResumeTurn.as_view(), name="v0-turn-resume"),
    path(f"{_TURN}/answer", turns.TurnAnswer.as_view(), name="v0-turn-answer"),
    path(f"{_TURN}/log", turns.TurnLog.as_view(), name="v0-turn-log"),
]
