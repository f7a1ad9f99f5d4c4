from __future__ import annotations

from django.urls import path

from accounts.views import doors

urlpatterns = [
    path("", doors.home, name="home"),
    path("sign-in", doors.sign_in, name="sign-in"),
    path("sign-out", doors.sign_out, name="sign-out"),
    path("first-run", doors.set_up, name="first-run"),
    path("admin/login/", doors.admin_sign_in, name="admin-sign-in"),
]
