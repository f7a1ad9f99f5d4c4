from accounts.admin import connections, organizations, outbound, people

__all__ = ["connections", "organizations", "outbound", "people"]
