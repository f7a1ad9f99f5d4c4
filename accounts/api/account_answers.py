"""The bodies of answers about organizations, people and access tokens (see accounts.api.wire.answers)."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from accounts.api.wire.answers import Id, Page, Timestamp
from accounts.models import Organization as OrganizationRow
from accounts.models import OutgoingMail, Role
from kit.json_types import JsonObject

RoleName = Annotated[str, Field(json_schema_extra={"enum": Role.values})]
IdenticalFiles = Annotated[str, Field(json_schema_extra={"enum": OrganizationRow.IdenticalFiles.values})]
OrganizationType = Annotated[str, Field(json_schema_extra={"enum": OrganizationRow.Type.values})]


class Member(TypedDict):
    """Published clients know two roles; the true one is beside it."""

    user_id: Id
    role: Literal["admin", "user"]
    docrouter_role: RoleName
    last_active_at: NotRequired[Annotated[Timestamp | None, Field(description="To five minutes; for admins only.")]]


class TextractConfig(TypedDict):
    feature_types: list[str]


class ModelConfig(TypedDict):
    provider: str | None
    model: str | None


class ReadingConfig(TypedDict):
    """The way in which pages are read. Other modes than `pymupdf` are those of other installations."""

    mode: str
    textract: TextractConfig
    mistral: None
    mistral_vertex: None
    pymupdf: JsonObject
    llm: ModelConfig


class ReadingCatalog(TypedDict):
    """The ways of reading that can be chosen here."""

    textract_feature_types: list[str]
    modes: list[str]
    mistral_enabled: bool
    mistral_vertex_enabled: bool


class Organization(TypedDict):
    """The organization."""

    id: Id
    name: str
    members: list[Member]
    type: OrganizationType
    default_prompt_enabled: bool
    failed_checks_need_reason: bool
    people_in_usage: bool
    identical_files: IdenticalFiles
    experimental_features: bool
    flow_log_level: str
    ocr_config: ReadingConfig
    ocr_catalog: ReadingCatalog
    created_at: Timestamp
    updated_at: Timestamp


class OrganizationPage(Page):
    """A page of the organizations."""

    organizations: list[Organization]


class Closing(TypedDict):
    """It is done."""

    status: Literal["success"]


class TokenOwner(TypedDict):
    """The organization, or null for a token of a whole account."""

    organization_id: Id | None
    organization_name: str | None
    organization_type: OrganizationType | None


class User(TypedDict):
    """The user."""

    id: Id
    email: str
    name: str
    role: Literal["admin", "user"]
    email_verified: bool
    created_at: Timestamp
    has_password: bool
    has_seen_tour: Annotated[bool | None, Field(description="Null in lists.")]
    theme: NotRequired[Annotated[str, Field(description="Not in lists. system, light or dark; empty: never chosen.")]]
    format_locale: NotRequired[
        Annotated[str, Field(description="Not in lists. Such as de-DE: how dates and numbers are written on pages.")]
    ]


class UserPage(Page):
    """A page of the people."""

    users: list[User]


class AccessToken(TypedDict):
    """The token."""

    id: Id
    user_id: Id
    organization_id: Id | None
    name: str
    token: Annotated[str, Field(description="Whole in the answer to POST, its first ten characters afterwards.")]
    created_at: Timestamp
    lifetime: Annotated[int, Field(description="Days; 0 is for ever.")]
    role_ceiling: RoleName | None
    upload_only: bool
    made_by: Annotated[Id | None, Field(description="The token that it was made with.")]
    expires_at: Timestamp | None
    last_used_at: Timestamp | None


class AccessTokens(TypedDict):
    """Your tokens."""

    access_tokens: list[AccessToken]


class Mail(TypedDict):
    """The state of the mail."""

    status: Annotated[str, Field(json_schema_extra={"enum": OutgoingMail.Status.values})]
    reason: Annotated[str | None, Field(description="Why it was not sent, or not yet.")]


class Invitation(TypedDict):
    """The invitation."""

    id: Id
    email: str
    organization_id: Id
    organization_name: str
    role: Literal["admin", "user"]
    docrouter_role: RoleName
    created_at: Timestamp
    expires_at: Timestamp


class SentInvitation(Invitation):
    """The invitation, as its organization's admins see it."""

    mail: Annotated[Mail | None, Field(description="Null where no mail is sent from.")]
    link: Annotated[str | None, Field(description="To hand over, where no mail brings it.")]


class InvitationPage(Page):
    """A page of the invitations."""

    invitations: list[SentInvitation]


class Link(TypedDict):
    """It works once, for an hour."""

    link: str
