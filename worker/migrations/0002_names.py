from django.db import migrations


class Migration(migrations.Migration):
    """Names alone."""

    dependencies = [("worker", "0001_initial")]

    operations = [
        migrations.RenameModel(old_name="Lease", new_name="ProcessLease"),
        migrations.RenameField(model_name="processlease", old_name="until", new_name="lease_until"),
    ]
