"""The sections of the document in the order in which somebody needs them, and which module's routes each holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Section:
    name: str
    description: str
    modules: tuple[str, ...]


SECTIONS = (
    Section(
        "Documents",
        "Files in, and what is known of them.",
        (
            "documents.api.documents",
            "documents.api.document_tags",
            "documents.api.parts.splitting",
            "documents.api.uploads",
        ),
    ),
    Section(
        "Reading",
        "The text of a document, its words with their places, and exports.",
        (
            "documents.api.readings.ocr",
            "documents.api.readings.reading",
            "documents.api.readings.page_pictures",
            "documents.api.readings.block_places",
            "documents.api.readings.exports",
        ),
    ),
    Section(
        "Extraction",
        "Prompts run on documents, the results with the corrections of people, and what each value rests on.",
        (
            "documents.api.llm.prompt_runs",
            "documents.api.llm.held_runs",
            "documents.api.llm.prompt_results",
            "documents.api.llm.bulk_runs",
            "documents.api.llm.estimates",
            "documents.api.llm.run_history",
            "documents.api.llm.run_fields",
            "documents.api.results",
        ),
    ),
    Section(
        "Schemas",
        "Which fields a result has, in revisions.",
        (
            "documents.api.definitions.schemas",
            "documents.api.definitions.schema_templates",
            "documents.api.check_trials",
        ),
    ),
    Section("Prompts", "What a model is asked about a document, in revisions.", ("documents.api.definitions.prompts",)),
    Section("Tags", "They join documents to the prompts that run on them.", ("documents.api.definitions.tags",)),
    Section(
        "Types of documents",
        "Invoice, contract, letter and others, independent of the file format.",
        ("documents.api.definitions.document_types",),
    ),
    Section("Search", "Every word of every page.", ("documents.api.search",)),
    Section("Saved views", "Filters of the documents list under a name.", ("documents.api.saved_views",)),
    Section(
        "Bulk actions",
        "One change for many documents: progress, stop, undo, what was left out and why.",
        ("documents.api.bulk.actions",),
    ),
    Section(
        "Automatic setup",
        "Schemas and prompts that the agent proposes for documents without any.",
        ("agent.api.auto_setup",),
    ),
    Section(
        "Agent",
        "Talk about a document. docs/agent-differences.md says what is otherwise than the published clients expect.",
        ("agent.api.chat", "agent.api.threads", "agent.api.wishes", "agent.api.turns"),
    ),
    Section("Scope profiles", "What the agent is for, and trials of it.", ("agent.api.scope_profiles.routes",)),
    Section("Agent without a document", "Talk about many documents.", ("agent.api.organization_chat",)),
    Section(
        "Overview",
        "What waits for a person, what the workers have to do, who changed what, and what was used.",
        (
            "agent.api.overview.inbox",
            "agent.api.overview.jobs",
            "agent.api.overview.audit",
            "agent.api.overview.usage",
        ),
    ),
    Section("Approvals", "What the agent may do only when a person agrees.", ("agent.api.decisions",)),
    Section(
        "Models",
        "The models that can be chosen, and bare calls of them.",
        (
            "documents.api.llm.catalogue",
            "documents.api.llm.bare_calls",
        ),
    ),
    Section("Organizations", "Whom documents belong to.", ("accounts.api.organizations",)),
    Section("Users", "Yourself, and those you work with.", ("accounts.api.users",)),
    Section("Members", "Who belongs to an organization: invitations, and who leaves.", ("accounts.api.memberships",)),
    Section("Mail", "The proof of an address, and forgotten passwords.", ("accounts.api.mails",)),
    Section("Access tokens", "Credentials for programs.", ("accounts.api.tokens",)),
)
# A module without a section is an error of ours, which the first look at the document shows.
SECTION_OF: Mapping[str, Section] = {module: section for section in SECTIONS for module in section.modules}
