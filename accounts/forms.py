from __future__ import annotations

from django import forms

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


class MemberForm(RoleForm):
    email = forms.EmailField(max_length=254)


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
