"""Records of the administration by task: groups, which the index and the breadcrumbs show."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Model


@dataclass(frozen=True)
class RecordGroup:
    """`main` are the records that people look for; `details` are what the product keeps beside them."""

    key: str
    title: str
    summary: str
    main: tuple[str, ...]
    details: tuple[str, ...]

    @property
    def labels(self) -> tuple[str, ...]:
        return self.main + self.details


GROUPS = (
    RecordGroup(
        "documents",
        "Documents",
        "Files, what was read in them, and the values that people check.",
        (
            *("documents.Document", "documents.Reading", "documents.Extraction", "documents.Verification"),
            *("documents.FieldEdit", "documents.BulkAction", "documents.ResultFile"),
        ),
        (
            *("documents.Page", "documents.ReadingShare", "documents.MetadataPair", "documents.CurrentValue"),
            *("documents.DuplicateKey", "documents.BulkItem", "documents.ReviewTime", "documents.SavedView"),
            *("documents.ColumnChoice", "documents.ResultChoice", "documents.DocumentType", "documents.TypeDecision"),
            "documents.TypeModelChoice",
            "documents.HeldRun",
            *("documents.StoredComparison",),
        ),
    ),
    RecordGroup(
        "definitions",
        "Definitions",
        "Schemas, prompts and tags, their versions, and what the agent proposes for new documents.",
        ("documents.Schema", "documents.Prompt", "documents.Tag", "documents.Proposal"),
        (
            *("documents.SchemaRevision", "documents.PromptRevision", "documents.AutoSetup", "documents.Sketch"),
            *("documents.ProposalSibling",),
        ),
    ),
    RecordGroup(
        "agent",
        "Agent",
        "Conversations, the calls of tools, who decided them, and what may run without asking.",
        (
            *("agent.Thread", "agent.Turn", "agent.ToolCall", "agent.Decision", "agent.Rule"),
            *(
                "agent.AgentSettings",
                "agent.ScopeProfile",
                "agent.ScopeCheck",
                "agent.OutsideServer",
                "agent.OutsideTool",
            ),
        ),
        (
            *("agent.Message", "agent.Event", "agent.Citation", "agent.ThreadSummary", "agent.StandingWish"),
            *("agent.ReadingAlias", "agent.FocusItem", "agent.McpClient", "agent.McpRequest"),
        ),
    ),
    RecordGroup(
        "spending",
        "Spending",
        "Budgets, models and their prices, and what each call cost.",
        (
            *("documents.Budget", "documents.Usage", "documents.UsageDay", "documents.LanguageModel"),
            *("documents.ModelPrice", "documents.ProviderKey"),
        ),
        ("documents.ModelProvider", "documents.ModelCall", "documents.Reservation"),
    ),
    RecordGroup(
        "people",
        "People",
        "Organizations, their members, and the programs that act for them.",
        (
            *("accounts.Organization", "accounts.User", "accounts.Member", "accounts.Invitation"),
            *("accounts.AccessToken", "accounts.AuditEntry"),
        ),
        ("oauth2_provider.Application", "accounts.Connection", "accounts.ConnectionKey"),
    ),
    RecordGroup(
        "system",
        "System",
        "Mail, requests to the outside, search indexes, and the processes that run.",
        (
            *("accounts.OutgoingMail", "accounts.OutboundRule", "accounts.OutboundRequest"),
            *("documents.EmbeddingChoice", "worker.ProcessLease"),
        ),
        (
            *("accounts.FirstRun", "documents.DataFolder", "documents.WordIndex", "documents.IndexedPage"),
            *(
                "documents.IndexedWord",
                "documents.FileChunk",
                "documents.PageChunk",
                "documents.QueryVector",
                "documents.CondensedReading",
            ),
            *("documents.RankedDocuments", "documents.PaperMark"),
        ),
    ),
)
_BY_LABEL = {label: group for group in GROUPS for label in group.labels}


def find_group(model: type[Model]) -> RecordGroup:
    """System, for a model of a plugin that no group names."""
    return _BY_LABEL.get(model._meta.label, GROUPS[-1])
