from __future__ import annotations

from django import forms


class SignInForm(forms.Form):
    email = forms.CharField(max_length=254)
    password = forms.CharField(max_length=1000, strip=False)


class FirstRunForm(forms.Form):
    organization = forms.CharField(max_length=200)
    email = forms.EmailField(max_length=254)
    password = forms.CharField(max_length=1000, strip=False)
    code = forms.CharField(max_length=40, required=False)
