from django.db import migrations, models


class Migration(migrations.Migration):

    replaces = [('worker', '0001_initial'), ('worker', '0002_names')]

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='ProcessLease',
            fields=[
                ('name', models.CharField(max_length=40, primary_key=True, serialize=False)),
                ('holder', models.CharField(max_length=200)),
                ('fence', models.PositiveIntegerField(default=1)),
                ('lease_until', models.DateTimeField()),
            ],
        ),
    ]
