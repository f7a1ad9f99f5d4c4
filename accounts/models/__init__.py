from accounts.models.audit import AuditEntry
from accounts.models.connection import Connection, ConnectionKey
from accounts.models.first_run import FirstRun
from accounts.models.invitation import Invitation
from accounts.models.mail import MAIL_LEASE, OutgoingMail
from accounts.models.organization import Member, Organization, Role
from accounts.models.outbound import OutboundRequest, OutboundRule
from accounts.models.token import AccessToken
from accounts.models.user import Theme, User

__all__ = [
    "MAIL_LEASE",
    "AccessToken",
    "AuditEntry",
    "Connection",
    "ConnectionKey",
    "FirstRun",
    "Invitation",
    "Member",
    "Organization",
    "OutboundRequest",
    "OutboundRule",
    "OutgoingMail",
    "Role",
    "Theme",
    "User",
]
