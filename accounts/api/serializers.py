from __future__ import annotations

from rest_framework import serializers

from accounts.models import Organization


class NewOrganization(serializers.Serializer[Organization]):
    name = serializers.CharField(max_length=200)
    type = serializers.ChoiceField(choices=Organization.Type.choices, default=Organization.Type.INDIVIDUAL)
    default_prompt_enabled = serializers.BooleanField(default=True)
    experimental_features = serializers.BooleanField(default=False)
