from accounts.models.audit import AuditEntry
from accounts.models.organization import Member, Organization, Role
from accounts.models.token import AccessToken
from accounts.models.user import User

__all__ = ["AccessToken", "AuditEntry", "Member", "Organization", "Role", "User"]
