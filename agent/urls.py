from __future__ import annotations

from django.urls import path

from agent.views import audit, card_actions, inbox, mentions, panel, proposals, rules, settings, thread_actions, threads

urlpatterns = [
    path("orgs/<str:org_id>/inbox", inbox.page, name="inbox"),
    path("orgs/<str:org_id>/inbox/count", inbox.count, name="inbox-count"),
    path("orgs/<str:org_id>/inbox/failures", inbox.decide_failures, name="inbox-failures"),
    path("orgs/<str:org_id>/audit", audit.audit, name="audit"),
    path("orgs/<str:org_id>/audit.csv", audit.export, name="audit-export"),
    path("orgs/<str:org_id>/settings/agent", settings.settings, name="agent-settings"),
    path("orgs/<str:org_id>/documents/<str:document_id>/agent", panel.tab, name="document-agent"),
    path("orgs/<str:org_id>/documents/<str:document_id>/agent/begin", thread_actions.begin, name="thread-begin"),
    path("orgs/<str:org_id>/documents/<str:document_id>/setup", proposals.show_setup, name="document-setup"),
    path("orgs/<str:org_id>/documents/<str:document_id>/setup/retry", proposals.setup_retry, name="setup-retry"),
    path("orgs/<str:org_id>/proposals/<str:proposal_id>", proposals.proposal, name="proposal"),
    path("orgs/<str:org_id>/proposals/<str:proposal_id>/accept", proposals.accept, name="proposal-accept"),
    path("orgs/<str:org_id>/proposals/<str:proposal_id>/reject", proposals.reject, name="proposal-reject"),
    path("orgs/<str:org_id>/proposals/<str:proposal_id>/refine", proposals.refine, name="proposal-refine"),
    path("orgs/<str:org_id>/proposals/<str:proposal_id>/retry", proposals.retry, name="proposal-retry"),
    path("orgs/<str:org_id>/proposals/<str:proposal_id>/take-out", proposals.remove_member, name="proposal-take-out"),
    path("orgs/<str:org_id>/agent", threads.list_threads, name="agent"),
    path("orgs/<str:org_id>/agent/thread", panel.thread_without_document, name="agent-thread"),
    path("orgs/<str:org_id>/agent/begin", thread_actions.begin, name="agent-begin"),
    path("orgs/<str:org_id>/agent/threads", threads.menu, name="thread-menu"),
    path("orgs/<str:org_id>/agent/mentions", mentions.list_offers, name="agent-mentions"),
    path("orgs/<str:org_id>/threads/<str:thread_id>/rename", threads.rename, name="thread-rename"),
    path("orgs/<str:org_id>/threads/<str:thread_id>/trash", threads.trash, name="thread-trash"),
    path("orgs/<str:org_id>/threads/<str:thread_id>/restore", threads.restore, name="thread-restore"),
    path("orgs/<str:org_id>/threads/<str:thread_id>/items", panel.items, name="thread-items"),
    path("orgs/<str:org_id>/threads/<str:thread_id>/say", thread_actions.say, name="thread-say"),
    path("orgs/<str:org_id>/threads/<str:thread_id>/choose", thread_actions.choose, name="thread-choose"),
    path("orgs/<str:org_id>/turns/<str:turn_id>/cancel", thread_actions.cancel, name="turn-cancel"),
    path("orgs/<str:org_id>/turns/<str:turn_id>/resume", thread_actions.resume, name="turn-resume"),
    path("orgs/<str:org_id>/threads/<str:thread_id>/decide-all", card_actions.decide_all, name="thread-decide-all"),
    path("orgs/<str:org_id>/calls/<str:call_id>/decide", card_actions.decide, name="call-decide"),
    path("orgs/<str:org_id>/calls/<str:call_id>/allow", card_actions.allow, name="call-allow"),
    path("orgs/<str:org_id>/calls/<str:call_id>/edit", card_actions.edit, name="call-edit"),
    path("orgs/<str:org_id>/calls/<str:call_id>/preview", card_actions.preview, name="call-preview"),
    path(
        "orgs/<str:org_id>/calls/<str:call_id>/approve-edited", card_actions.approve_edited, name="call-approve-edited"
    ),
    path("orgs/<str:org_id>/calls/<str:call_id>/undo", card_actions.undo_call, name="call-undo"),
    path("orgs/<str:org_id>/calls/<str:call_id>/resolve", card_actions.resolve, name="call-resolve"),
    path("orgs/<str:org_id>/rules", rules.list_rules, name="rules"),
    path("orgs/<str:org_id>/rules/new", rules.new, name="rule-new"),
    path("orgs/<str:org_id>/rules/<str:rule_id>/revoke", rules.revoke, name="rule-revoke"),
]
