"""Organizations of the signed-in user: the list, one changed or closed; and the one that a token belongs to."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Prefetch, Q, QuerySet
from rest_framework.request import Request

from accounts.actor import Actor
from accounts.api import account_answers as answers
from accounts.api.access import NOT_A_MEMBER, NOT_AN_ADMIN, AccountView, OpenView
from accounts.api.serializers import READING_MODE, ChangedOrganization, NewOrganization, read_roles
from accounts.api.wire.described import Text, describe, describe_window
from accounts.api.wire.errors import Unprocessable, make_fault
from accounts.api.wire.pagination import count_rows, read_window
from accounts.api.wire.responses import Answer
from accounts.models import Member, Organization, Role, User
from accounts.services import members, organizations, tokens
from kit.errors import Denied, Invalid, NotFound, Unauthenticated
from kit.ids import is_id
from kit.paging import part_of
from kit.rows.models import fold_case
from kit.timestamps import format_timestamp

LONGEST_MEMBER_SEARCH = 200
OCR_CONFIG: answers.ReadingConfig = {
    "mode": READING_MODE,
    "textract": {"feature_types": []},
    "mistral": None,
    "mistral_vertex": None,
    "pymupdf": {},
    "llm": {"provider": None, "model": None},
}
OCR_CATALOG: answers.ReadingCatalog = {
    "textract_feature_types": [],
    "modes": [READING_MODE],
    "mistral_enabled": False,
    "mistral_vertex_enabled": False,
}


ONE_ORGANIZATION = Text("organization_id", "This organization only. Not together with user_id.")
ONE_OF_TWO = "user_id and organization_id cannot be used together"


class Organizations(AccountView):
    bodies = {"POST": NewOrganization}

    @describe(
        "List organizations",
        query=[
            ONE_ORGANIZATION,
            Text("user_id", "Organizations of this user."),
            Text("name_search", "Part of the name."),
            Text("member_search", "Part of a member's name or address."),
            *describe_window(),
        ],
        refusals={400: [ONE_OF_TWO], 404: ["Organization not found", "User not found"]},
    )
    def get(self, request: Request) -> Answer[answers.OrganizationPage]:
        """The organizations that you belong to; for system admins all."""
        rows, at = _list_visible(self, request).order_by("-created_at", "-pk"), read_window(request)
        members = Prefetch("memberships", Member.objects.order_by("created_at"))
        part = part_of(rows.prefetch_related(members), at)
        return Answer(
            {"organizations": [serialize_organization(row, self.user) for row in part.rows], **count_rows(part, at)}
        )

    @describe("Make an organization", refusals={400: ["An organization named Acme exists already."]})
    def post(self, request: Request) -> Answer[answers.Organization]:
        """You become its admin. 25 for each person."""
        return Answer(serialize_organization(organizations.create(self.user, **self.read_body()), self.user))


class OneOrganization(AccountView):
    """For its admins and for system admins. Fields that are left out, the type among them, stay as they are."""

    bodies = {"PUT": ChangedOrganization}

    @describe(
        "Change an organization",
        refusals={
            400: [
                "Acme needs an admin. Make somebody else admin first.",
                "Invalid organization type upgrade: team cannot become individual.",
            ]
        },
    )
    def put(self, request: Request, organization_id: str) -> Answer[answers.Organization]:
        actor = _as_admin(self.user, organization_id)
        changes = self.read_body()
        sent = changes.pop("members", None)
        with transaction.atomic():
            changed = organizations.change(actor, **changes)
            if sent is not None:
                roles = {member.user_id: Role(member.role) for member in changed.memberships.all()}
                members.replace(actor, roles=read_roles(sent, roles))
        return Answer(serialize_organization(changed, self.user))

    @describe("Close an organization")
    def delete(self, request: Request, organization_id: str) -> Answer[answers.Closing]:
        """For its admins and for system admins. Nobody enters it any more."""
        organizations.close(_as_admin(self.user, organization_id))
        return Answer({"status": "success"})


def _as_admin(user: User, organization_id: str) -> Actor:
    organization = (
        Organization.objects.filter(pk=organization_id, closed_at=None).first() if is_id(organization_id) else None
    )
    if user.is_superuser and organization:
        return Actor(user, organization, Role.ADMIN)
    if user.is_superuser or not is_id(organization_id):
        raise NotFound("Organization not found")
    member = organization.memberships.filter(user=user).first() if organization else None
    if organization is None or member is None:
        raise Denied(NOT_A_MEMBER)
    if member.role != Role.ADMIN:
        raise Denied(NOT_AN_ADMIN)
    return Actor(user, organization, Role.ADMIN)


def _list_visible(view: AccountView, request: Request) -> QuerySet[Organization]:
    query = request.query_params
    user_id, organization_id = query.get("user_id"), query.get("organization_id")
    if user_id and organization_id:
        raise Invalid("user_id and organization_id cannot be used together")
    rows = Organization.objects.filter(closed_at=None)
    if not view.is_system_admin:
        rows = rows.filter(memberships__user=view.user)
    if user_id:
        rows = rows.filter(pk__in=_list_memberships(view, user_id))
    if organization_id:
        rows = rows.filter(pk=organization_id)
        if not is_id(organization_id) or not rows.exists():
            raise NotFound("Organization not found")
    return _filter_by_names(rows, query.get("name_search", ""), query.get("member_search", ""))


def _list_memberships(view: AccountView, user_id: str) -> QuerySet[Member]:
    if user_id != view.user.pk and not view.is_system_admin:
        raise Denied("You can see your own organizations only.")
    if not User.objects.filter(pk=user_id).exists():
        raise NotFound("User not found")
    return Member.objects.filter(user_id=user_id).values("organization_id")  # type: ignore[return-value]


def _filter_by_names(rows: QuerySet[Organization], name: str, member: str) -> QuerySet[Organization]:
    if len(member) > LONGEST_MEMBER_SEARCH:
        raise Invalid(f"member_search has {len(member)} characters; {LONGEST_MEMBER_SEARCH} is the most.")
    if name:
        rows = rows.filter(name_folded__contains=fold_case(name))
    if member:
        members = Member.objects.filter(Q(user__name__icontains=member) | Q(user__email__icontains=member))
        rows = rows.filter(pk__in=members.values("organization_id"))
    return rows


class TokenOrganization(OpenView):
    """An MCP server asks at its start which organization a token opens. The token itself is the credential."""

    @describe(
        "Tell which organization a token opens",
        query=[Text("token", "The whole token. It is the credential.", required=True)],
        refusals={401: ["Invalid token"]},
    )
    def get(self, request: Request) -> Answer[answers.TokenOwner]:
        secret = request.query_params.get("token")
        if secret is None:
            raise Unprocessable([make_fault("query", "token", "Field required", type="missing")])
        try:
            token = tokens.find(secret)
        except Unauthenticated:
            raise Unauthenticated("Invalid token") from None
        of = token.organization
        return Answer(
            {
                "organization_id": of.pk if of else None,
                "organization_name": of.name if of else None,
                "organization_type": of.type if of else None,
            }
        )


def serialize_organization(row: Organization, asker: User) -> answers.Organization:
    """The organization as the published clients read it; the OCR modes of other installations do not exist here."""
    rows = list(row.memberships.all())
    is_admin = any(member.user_id == asker.pk and member.role == Role.ADMIN for member in rows)
    return {
        "id": row.pk,
        "name": row.name,
        "members": [_serialize_member(member, shows_activity=is_admin) for member in rows],
        "type": row.type,
        "default_prompt_enabled": row.default_prompt_enabled,
        "failed_checks_need_reason": row.failed_checks_need_reason,
        "people_in_usage": row.people_in_usage,
        "identical_files": row.identical_files,
        "experimental_features": row.experimental_features,
        "flow_log_level": row.flow_log_level,
        "ocr_config": OCR_CONFIG,
        "ocr_catalog": OCR_CATALOG,
        "created_at": format_timestamp(row.created_at),
        "updated_at": format_timestamp(row.updated_at),
    }


def _serialize_member(member: Member, *, shows_activity: bool) -> answers.Member:
    is_admin = member.role == Role.ADMIN
    answer: answers.Member = {
        "user_id": member.user_id,
        "role": "admin" if is_admin else "user",
        "docrouter_role": member.role,
    }
    if shows_activity:
        at = member.last_active_at
        answer["last_active_at"] = format_timestamp(at) if at else None
    return answer
