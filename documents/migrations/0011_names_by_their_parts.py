from django.db import DatabaseError, migrations, transaction

NAME = "document_name_parts"


def index_parts_of_names(apps, schema_editor):
    """On PostgreSQL, where its extension pg_trgm is there and may be used; without it a search reads every name."""
    if schema_editor.connection.vendor != "postgresql":
        return
    try:
        with transaction.atomic(using=schema_editor.connection.alias):
            schema_editor.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
    except DatabaseError:
        return
    schema_editor.execute(f"CREATE INDEX {NAME} ON documents_document USING gin (name_folded gin_trgm_ops)")


def drop_index(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(f"DROP INDEX IF EXISTS {NAME}")


class Migration(migrations.Migration):
    dependencies = [("documents", "0011_auto_create")]
    operations = [migrations.RunPython(index_parts_of_names, drop_index)]
