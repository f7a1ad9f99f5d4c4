"""A few sentences on what a document shows."""

from offline_model.fields.layout import Layout
from offline_model.fields.search import find_field, find_kind
from offline_model.fields.tables import find_tables
from offline_model.fields.vocabulary import BY_NAME
from offline_model.text import to_readable


def summarize(layout: Layout) -> str | None:
    """Names the kind and the values that stand in it, in the order of the kind's fields."""
    if not layout.lines:
        return None
    kind = find_kind(layout)
    hits = ((name, find_field(layout, BY_NAME[name])) for name in kind.fields)
    values = [f"{to_readable(name)} {hit.value}" for name, hit in hits if hit][:8]
    rows = sum(len(table.rows) for table in find_tables(layout))
    sentence = f"{kind.name} of {layout.pages} page{'s' * (layout.pages > 1)}"
    sentence += f": {', '.join(values)}." if values else f" that begins with “{layout.lines[0].text}”."
    return sentence + (f" A table lists {rows} row{'s' * (rows > 1)}." if rows else "")
