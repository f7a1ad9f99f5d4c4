from __future__ import annotations

from django.urls import path

from agent.views import mentions, panel, settings, talking, threads

urlpatterns = [
    path("orgs/<str:org_id>/settings/agent", settings.settings, name="agent-settings"),
    path("orgs/<str:org_id>/documents/<str:document_id>/agent", panel.tab, name="document-agent"),
    path("orgs/<str:org_id>/documents/<str:document_id>/agent/begin", talking.begin, name="thread-begin"),
    path("orgs/<str:org_id>/agent", threads.listing, name="agent"),
    path("orgs/<str:org_id>/agent/thread", panel.alone, name="agent-thread"),
    path("orgs/<str:org_id>/agent/begin", talking.begin, name="agent-begin"),
    path("orgs/<str:org_id>/agent/threads", threads.menu, name="thread-menu"),
    path("orgs/<str:org_id>/agent/mentions", mentions.offered, name="agent-mentions"),
    path("orgs/<str:org_id>/threads/<str:thread_id>/rename", threads.rename, name="thread-rename"),
    path("orgs/<str:org_id>/threads/<str:thread_id>/trash", threads.trash, name="thread-trash"),
    path("orgs/<str:org_id>/threads/<str:thread_id>/restore", threads.restore, name="thread-restore"),
    path("orgs/<str:org_id>/threads/<str:thread_id>/items", panel.items, name="thread-items"),
    path("orgs/<str:org_id>/threads/<str:thread_id>/say", talking.say, name="thread-say"),
    path("orgs/<str:org_id>/threads/<str:thread_id>/choose", talking.choose, name="thread-choose"),
    path("orgs/<str:org_id>/turns/<str:turn_id>/cancel", talking.cancel, name="turn-cancel"),
    path("orgs/<str:org_id>/turns/<str:turn_id>/resume", talking.resume, name="turn-resume"),
    path("orgs/<str:org_id>/calls/<str:call_id>/decide", talking.decide, name="call-decide"),
]
