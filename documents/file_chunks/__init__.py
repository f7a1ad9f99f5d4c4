"""Parts of nested files that have a name: operations and schemas of an API, definitions, business groups, subtrees."""
