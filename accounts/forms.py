from __future__ import annotations

import re

from django import forms
from django.core.validators import validate_email

from accounts.models import Organization, Role, Theme
from kit import formats


class SignInForm(forms.Form):
    email = forms.CharField(max_length=254)
    password = forms.CharField(max_length=1000, strip=False)


class FirstRunForm(forms.Form):
    organization = forms.CharField(max_length=200)
    email = forms.EmailField(max_length=254)
    password = forms.CharField(max_length=1000, strip=False)
    code = forms.CharField(max_length=40, required=False)


class OrganizationForm(forms.Form):
    name = forms.CharField(max_length=200)
    default_prompt_enabled = forms.BooleanField(required=False)
    auto_setup_default = forms.BooleanField(required=False)
    failed_checks_need_reason = forms.BooleanField(required=False)
    people_in_usage = forms.BooleanField(required=False)
    identical_files = forms.ChoiceField(choices=Organization.IdenticalFiles.choices, required=False)

    def clean(self) -> dict[str, object]:
        """Without a choice it stays as it is."""
        cleaned = super().clean() or {}
        return {name: value for name, value in cleaned.items() if name != "identical_files" or value}


class RoleForm(forms.Form):
    role = forms.ChoiceField(choices=Role.choices)


class InviteForm(RoleForm):
    """Addresses as they are pasted: one a line, or with commas, semicolons and names between them."""

    MAX_ADDRESSES = 100

    email = forms.CharField(label="Addresses", max_length=50_000)

    def clean_email(self) -> list[str]:
        parts = [part.strip() for part in re.split(r"[,;\n\r]+", self.cleaned_data["email"])]
        addresses = [address for part in parts if part for address in _split_addresses(part)]
        if wrong := [address for address in addresses if not _is_address(address)]:
            raise forms.ValidationError(f"{', '.join(wrong[:5])} is no email address. Nobody was invited.")
        if len(addresses) > self.MAX_ADDRESSES:
            raise forms.ValidationError(f"Invite at most {self.MAX_ADDRESSES} at once; these are {len(addresses)}.")
        return list(dict.fromkeys(address.lower() for address in addresses))


def _split_addresses(part: str) -> list[str]:
    """`Ana Ruiz <ana@acme.example>` is one address, `ana@acme.example ben@acme.example` are two."""
    named = re.search(r"<([^<>]*)>\s*$", part)
    return [named.group(1).strip()] if named else part.split()


def _is_address(text: str) -> bool:
    try:
        validate_email(text)
    except forms.ValidationError:
        return False
    return True


class TokenForm(forms.Form):
    LIFETIMES = [(30, "30 days"), (90, "90 days"), (365, "1 year"), (0, "No expiry")]

    RIGHTS = [
        ("", "Same as mine"),
        *((role.value, f"Up to {role.label.lower()}") for role in Role),
        ("upload", "Uploads only"),
    ]
    REACHES = [("organization", "This organization"), ("account", "All my organizations")]

    name = forms.CharField(max_length=200)
    reach = forms.ChoiceField(choices=REACHES, required=False)
    rights = forms.ChoiceField(choices=RIGHTS, required=False)
    lifetime_days = forms.TypedChoiceField(choices=LIFETIMES, coerce=int)


class PasswordForm(forms.Form):
    """The old one is not asked of somebody who has none; the service looks."""

    old_password = forms.CharField(label="Password now", max_length=1000, strip=False, required=False)
    new_password = forms.CharField(label="New password", max_length=1000, strip=False)
    end_tokens = forms.BooleanField(required=False)


class ForgottenPasswordForm(forms.Form):
    email = forms.EmailField(label="Email", max_length=254)


class NewPasswordForm(forms.Form):
    password = forms.CharField(label="New password", max_length=1000, strip=False)
    end_tokens = forms.BooleanField(required=False)


class JoinForm(forms.Form):
    name = forms.CharField(label="Name", max_length=200, required=False)
    password = forms.CharField(label="Password", max_length=1000, strip=False)


class ProfileForm(forms.Form):
    name = forms.CharField(label="Name", max_length=200, required=False)
    theme = forms.ChoiceField(label="Theme", choices=Theme.choices)
    format_locale = forms.ChoiceField(
        label="Dates and numbers",
        choices=[("", "the browser's"), *((tag, tag) for tag in formats.CHOICES)],
        required=False,
    )


class ConsentForm(RoleForm):
    """A person's answer to a program that wants to be connected. A denial needs no more than itself."""

    organization = forms.CharField(max_length=24)
    answer = forms.ChoiceField(choices=[("allow", "allow"), ("deny", "deny")])


class ThemeForm(forms.Form):
    theme = forms.ChoiceField(choices=Theme.choices)
