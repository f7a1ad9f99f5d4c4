from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.db import models

from kit.rows.models import Row

if TYPE_CHECKING:
    from accounts.models.organization import Organization


class UserManager(BaseUserManager["User"]):
    def create_user(self, email: str, password: str | None = None, **fields: object) -> User:
        user = self.model(email=self.normalize_email(email), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: object) -> User:
        return self.create_user(email, password, **{**fields, "is_staff": True, "is_superuser": True})

    @classmethod
    def normalize_email(cls, email: str | None) -> str:
        """Addresses are kept in lower case: two accounts that differ in case only are one person's mistake."""
        return (email or "").strip().lower()

    def get_by_natural_key(self, username: str | None) -> User:
        return self.get(email=self.normalize_email(username))


class Theme(models.TextChoices):
    """The look of pages. Empty until somebody chooses: then each browser remembers for itself."""

    SYSTEM = "system", "as the system is"
    LIGHT = "light"
    DARK = "dark"


class User(Row, AbstractBaseUser, PermissionsMixin):
    """A person, known by e-mail. `is_superuser` is the system admin of the whole installation."""

    email = models.EmailField(unique=True)
    name = models.CharField(max_length=200, blank=True)
    is_active = models.BooleanField(default=True)
    is_staff = models.BooleanField("may enter the admin", default=False)
    email_verified = models.BooleanField(default=False)
    # Whoever handed the link over may have opened it: what waits for the address is not for them.
    address_unproven = models.BooleanField("joined by a link that came by no mail", default=False, editable=False)
    has_seen_tour = models.BooleanField("kept for clients; nothing here has a tour", default=False)
    theme = models.CharField(max_length=6, choices=Theme.choices, blank=True)
    format_locale = models.CharField(
        "dates and numbers in this language; empty: in the browser's", max_length=16, blank=True
    )
    deleted_at = models.DateTimeField("deleted: what they did stays", null=True, blank=True, editable=False)

    objects: ClassVar[UserManager] = UserManager()
    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    def __str__(self) -> str:
        return self.email

    def clean(self) -> None:
        """As it is kept, so that a form sees that an address is taken."""
        super().clean()
        self.email = User.objects.normalize_email(self.email)

    @property
    def shown_name(self) -> str:
        return self.name or self.email

    @cached_property
    def open_organizations(self) -> list[Organization]:
        """List the organizations that the menus offer; these stand on a page twice."""
        return list(self.organizations.filter(closed_at=None))
