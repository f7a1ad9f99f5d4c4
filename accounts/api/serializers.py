from __future__ import annotations

from collections.abc import Mapping

from rest_framework import serializers

from accounts.api.wire.fields import RequestBody, StrictTextField, TrueOrFalse
from accounts.models import Organization, Role, Theme
from kit import formats
from kit.errors import Invalid
from kit.json_types import JsonObject

# The one way of reading that there is: the text layer, else OCR on this machine. Clients know it by this name.
READING_MODE = "pymupdf"
LOG_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")


class ReadingConfig(serializers.DictField):
    """`ocr_config` of other installations. Modes that are not here are refused rather than silently not used."""

    def to_internal_value(self, data: JsonObject) -> dict[str, object]:
        sent: dict[str, object] = super().to_internal_value(data)
        if (mode := sent.get("mode", READING_MODE)) != READING_MODE:
            raise Invalid(f"The OCR mode {mode!r} is not part of this installation; {READING_MODE!r} is.")
        return sent


class OrganizationFields(RequestBody):
    # On for organizations that a program makes without a word of it: the published clients read the summary.
    default_prompt_enabled = TrueOrFalse(default=True)
    experimental_features = TrueOrFalse(default=False)
    flow_log_level = serializers.ChoiceField(choices=LOG_LEVELS, default="ERROR")
    ocr_config = ReadingConfig(required=False, allow_null=True, write_only=True)

    def validate(self, attrs: dict[str, object]) -> dict[str, object]:
        attrs.pop("ocr_config", None)
        return attrs


class NewOrganization(OrganizationFields):
    name = StrictTextField(max_length=200)
    type = serializers.ChoiceField(choices=Organization.Type.choices, default=Organization.Type.INDIVIDUAL)


class WantedMember(RequestBody):
    """`docrouter_role` counts when it agrees with `role`: clients that know only `role` send it back unchanged."""

    user_id = StrictTextField()
    role = serializers.ChoiceField(choices=["admin", "user"])
    docrouter_role = serializers.ChoiceField(choices=Role.choices, required=False, allow_null=True)


class ChangedOrganization(OrganizationFields):
    """A field that is left out or null stays as it is."""

    name = StrictTextField(max_length=200, required=False, allow_null=True)
    type = serializers.ChoiceField(choices=Organization.Type.choices, required=False, allow_null=True)
    default_prompt_enabled = TrueOrFalse(required=False, allow_null=True)
    failed_checks_need_reason = TrueOrFalse(required=False, allow_null=True)
    people_in_usage = TrueOrFalse(required=False, allow_null=True, help_text="Whether admins see usage by person.")
    identical_files = serializers.ChoiceField(
        choices=Organization.IdenticalFiles.choices, required=False, allow_null=True
    )
    experimental_features = TrueOrFalse(required=False, allow_null=True)
    flow_log_level = serializers.ChoiceField(choices=LOG_LEVELS, required=False, allow_null=True)
    # A serializer with many=True would allow null inside the list too.
    members = serializers.ListField(child=WantedMember(), required=False, allow_null=True)

    def validate(self, attrs: dict[str, object]) -> dict[str, object]:
        return {name: value for name, value in super().validate(attrs).items() if value is not None}


class NewUser(RequestBody):
    email = StrictTextField(max_length=254)
    name = StrictTextField(max_length=200, allow_blank=True, required=False, default="")
    password = StrictTextField(trim_whitespace=False)


class ChangedUser(RequestBody):
    name = StrictTextField(max_length=200, required=False, allow_null=True, allow_blank=True)
    password = StrictTextField(required=False, allow_null=True, trim_whitespace=False)
    old_password = StrictTextField(required=False, allow_null=True, trim_whitespace=False, allow_blank=True)
    end_tokens = TrueOrFalse(required=False, allow_null=True)
    has_seen_tour = TrueOrFalse(required=False, allow_null=True)
    theme = serializers.ChoiceField(choices=Theme.choices, required=False, allow_null=True)
    format_locale = serializers.ChoiceField(choices=formats.CHOICES, required=False, allow_null=True, allow_blank=True)
    role = serializers.ChoiceField(choices=["admin", "user"], required=False, allow_null=True)
    email_verified = TrueOrFalse(required=False, allow_null=True)

    def validate(self, attrs: dict[str, object]) -> dict[str, object]:
        return {name: value for name, value in attrs.items() if value is not None}


def read_roles(sent: list[JsonObject], current: Mapping[str, Role]) -> dict[str, Role]:
    """User id to role. A written `user` leaves a viewer, reviewer or builder as it is, makes a builder of an admin."""
    roles: dict[str, Role] = {}
    for entry in sent:
        user_id, is_admin = entry["user_id"], entry["role"] == "admin"
        if user_id in roles:
            raise Invalid(f"{user_id} is named twice in members.")
        exact = entry.get("docrouter_role")
        known = Role(exact) if exact else current.get(user_id, Role.BUILDER)
        agrees = (known == Role.ADMIN) == is_admin
        roles[user_id] = known if agrees else Role.ADMIN if is_admin else Role.BUILDER
    return roles
