from django.contrib import admin

from accounts.admin import connections, organizations, outbound, people

admin.site.site_title = admin.site.site_header = "DocRouter administration"
admin.site.index_title = "All records of this installation"

__all__ = ["connections", "organizations", "outbound", "people"]
