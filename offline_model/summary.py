"""A few sentences on what a document shows."""

from offline_model.finding import find_field, kind_of
from offline_model.layout import Layout
from offline_model.tables import tables_in
from offline_model.text import readable
from offline_model.vocabulary import BY_NAME


def summary(layout: Layout) -> str | None:
    """Names the kind and the values that stand in it, in the order of the kind's fields."""
    if not layout.lines:
        return None
    kind = kind_of(layout)
    hits = ((name, find_field(layout, BY_NAME[name])) for name in kind.fields)
    values = [f"{readable(name)} {hit.value}" for name, hit in hits if hit][:8]
    rows = sum(len(table.rows) for table in tables_in(layout))
    sentence = f"{kind.name} of {layout.pages} page{'s' * (layout.pages > 1)}"
    sentence += f": {', '.join(values)}." if values else f" that begins with “{layout.lines[0].text}”."
    return sentence + (f" A table lists {rows} row{'s' * (rows > 1)}." if rows else "")
