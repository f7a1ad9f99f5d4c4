from django.db import migrations

OURS = ("accounts", "agent", "documents", "worker", "oauth2_provider", "auth", "django")


def drop_like_indexes(apps, schema_editor):
    """The second index that Django made on every text column with one: nothing searches ids by their beginning."""
    if schema_editor.connection.vendor != "postgresql":
        return
    with schema_editor.connection.cursor() as cursor:
        cursor.execute(
            "SELECT indexname FROM pg_indexes WHERE schemaname = current_schema()"
            " AND indexname LIKE '%%\\_like' AND indexdef LIKE '%%_pattern_ops)' AND tablename ~ %s",
            [f"^({'|'.join(OURS)})_"],
        )
        names = [name for (name,) in cursor.fetchall()]
    for name in names:
        schema_editor.execute(f"DROP INDEX {schema_editor.quote_name(name)}")


class Migration(migrations.Migration):
    dependencies = [("documents", "0059_folder_of_files")]
    operations = [migrations.RunPython(drop_like_indexes, migrations.RunPython.noop, elidable=True)]
