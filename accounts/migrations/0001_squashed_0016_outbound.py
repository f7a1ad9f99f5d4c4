import django.db.models.deletion
import django.utils.timezone
import kit.ids
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    replaces = [('accounts', '0001_initial'), ('accounts', '0002_closing_and_client_settings'), ('accounts', '0003_local_models_only'), ('accounts', '0004_audit_by_call'), ('accounts', '0005_auto_create'), ('accounts', '0006_limited_tokens'), ('accounts', '0007_invitations'), ('accounts', '0008_summary_off'), ('accounts', '0009_names'), ('accounts', '0010_failed_checks_need_reason'), ('accounts', '0011_outgoing_mail'), ('accounts', '0012_address_unproven'), ('accounts', '0013_identical_files'), ('accounts', '0014_last_activity'), ('accounts', '0015_profile'), ('accounts', '0016_outbound')]

    initial = True

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        migrations.CreateModel(
            name='FirstRun',
            fields=[
                ('id', models.CharField(default=kit.ids.new_id, editable=False, max_length=24, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now, editable=False)),
                ('name', models.CharField(default='first run', editable=False, max_length=10, unique=True)),
                ('code_digest', models.CharField(editable=False, max_length=64, verbose_name='SHA-256 of the one-time code')),
                ('claimed_at', models.DateTimeField(blank=True, editable=False, null=True)),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='User',
            fields=[
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                ('id', models.CharField(default=kit.ids.new_id, editable=False, max_length=24, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now, editable=False)),
                ('email', models.EmailField(max_length=254, unique=True)),
                ('name', models.CharField(blank=True, max_length=200)),
                ('is_active', models.BooleanField(default=True)),
                ('is_staff', models.BooleanField(default=False, verbose_name='may enter the admin')),
                ('email_verified', models.BooleanField(default=False)),
                ('deleted_at', models.DateTimeField(blank=True, editable=False, null=True, verbose_name='deleted: what they did stays')),
                ('has_seen_tour', models.BooleanField(default=False, verbose_name='kept for clients; nothing here has a tour')),
                ('address_unproven', models.BooleanField(default=False, editable=False, verbose_name='joined by a link that came by no mail')),
                ('format_locale', models.CharField(blank=True, max_length=16, verbose_name="dates and numbers in this language; empty: in the browser's")),
                ('theme', models.CharField(blank=True, choices=[('system', 'as the system is'), ('light', 'Light'), ('dark', 'Dark')], max_length=6)),
                ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='Member',
            fields=[
                ('id', models.CharField(default=kit.ids.new_id, editable=False, max_length=24, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now, editable=False)),
                ('role', models.CharField(choices=[('viewer', 'Viewer'), ('reviewer', 'Reviewer'), ('builder', 'Builder'), ('admin', 'Admin')], default='builder', max_length=10)),
                ('last_active_at', models.DateTimeField(blank=True, editable=False, null=True, verbose_name='looked at a page, to five minutes')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Organization',
            fields=[
                ('id', models.CharField(default=kit.ids.new_id, editable=False, max_length=24, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now, editable=False)),
                ('name', models.CharField(max_length=200)),
                ('name_folded', models.CharField(editable=False, max_length=200, unique=True)),
                ('type', models.CharField(choices=[('individual', 'Individual'), ('team', 'Team'), ('enterprise', 'Enterprise')], default='individual', max_length=12)),
                ('default_prompt_enabled', models.BooleanField(default=False, verbose_name='summarize each document after reading')),
                ('experimental_features', models.BooleanField(default=False)),
                ('agent_stopped', models.BooleanField(default=False, verbose_name='stop all agent turns')),
                ('updated_at', models.DateTimeField(auto_now=True)),
                ('closed_at', models.DateTimeField(blank=True, editable=False, null=True, verbose_name='closed: its rows stay, nobody enters')),
                ('flow_log_level', models.CharField(default='ERROR', max_length=10, verbose_name='kept for clients; nothing here has flows')),
                ('local_models_only', models.BooleanField(default=False, verbose_name='document text goes to no model outside')),
                ('auto_setup_default', models.BooleanField(default=False, verbose_name='make schema and prompt automatically on upload')),
                ('failed_checks_need_reason', models.BooleanField(default=False, verbose_name='verifying a document although a value check fails needs a reason')),
                ('identical_files', models.CharField(choices=[('warn', 'keep it and warn'), ('keep', 'keep it'), ('refuse', 'refuse it')], default='warn', max_length=6, verbose_name='a file that is here already')),
                ('members', models.ManyToManyField(related_name='organizations', through='accounts.Member', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.AddField(
            model_name='member',
            name='organization',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to='accounts.organization'),
        ),
        migrations.CreateModel(
            name='Invitation',
            fields=[
                ('id', models.CharField(default=kit.ids.new_id, editable=False, max_length=24, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now, editable=False)),
                ('email', models.EmailField(db_index=True, max_length=254)),
                ('role', models.CharField(choices=[('viewer', 'Viewer'), ('reviewer', 'Reviewer'), ('builder', 'Builder'), ('admin', 'Admin')], max_length=10)),
                ('expires_at', models.DateTimeField()),
                ('invited_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('organization', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to='accounts.organization')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('organization', 'email'), name='one_invitation_each')],
            },
        ),
        migrations.CreateModel(
            name='AuditEntry',
            fields=[
                ('id', models.CharField(default=kit.ids.new_id, editable=False, max_length=24, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now, editable=False)),
                ('origin', models.CharField(choices=[('person', 'Person'), ('agent_approved', 'agent, approved by a person'), ('agent_rule', 'agent, allowed by a rule or mode'), ('system', 'System')], default='person', max_length=16)),
                ('action', models.CharField(db_index=True, max_length=60)),
                ('target_kind', models.CharField(max_length=40)),
                ('target_id', models.CharField(db_index=True, max_length=24)),
                ('detail', models.JSONField(blank=True, default=dict)),
                ('call_id', models.CharField(blank=True, db_index=True, max_length=24, verbose_name='the tool call that did it')),
                ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL)),
                ('organization', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='audit_entries', to='accounts.organization')),
            ],
            options={
                'verbose_name_plural': 'audit entries',
                'indexes': [models.Index(fields=['organization', '-created_at', '-id'], name='audit_newest')],
            },
        ),
        migrations.CreateModel(
            name='AccessToken',
            fields=[
                ('id', models.CharField(default=kit.ids.new_id, editable=False, max_length=24, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now, editable=False)),
                ('name', models.CharField(max_length=200)),
                ('start', models.CharField(editable=False, max_length=10, verbose_name='first ten characters')),
                ('digest', models.CharField(editable=False, max_length=64, unique=True, verbose_name='SHA-256')),
                ('lifetime_days', models.PositiveIntegerField(default=0, help_text='0 means that it never expires.')),
                ('expires_at', models.DateTimeField(blank=True, null=True)),
                ('last_used_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('role_ceiling', models.CharField(blank=True, choices=[('viewer', 'Viewer'), ('reviewer', 'Reviewer'), ('builder', 'Builder'), ('admin', 'Admin')], max_length=10, verbose_name="acts with this role at most; empty: with its user's")),
                ('upload_only', models.BooleanField(default=False, verbose_name='uploads documents and does nothing else')),
                ('made_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='created_tokens', to='accounts.accesstoken', verbose_name='token that made it')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='access_tokens', to=settings.AUTH_USER_MODEL)),
                ('organization', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='access_tokens', to='accounts.organization')),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='OutboundRequest',
            fields=[
                ('id', models.CharField(default=kit.ids.new_id, editable=False, max_length=24, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now, editable=False)),
                ('purpose', models.CharField(max_length=40, verbose_name='what for')),
                ('method', models.CharField(max_length=10)),
                ('origin', models.CharField(max_length=300, verbose_name='scheme, host and port')),
                ('address', models.CharField(blank=True, max_length=60, verbose_name='IP address')),
                ('status', models.PositiveSmallIntegerField(default=0, verbose_name='status of the answer; 0: none')),
                ('size', models.PositiveIntegerField(default=0, verbose_name='bytes of the answer')),
                ('milliseconds', models.PositiveIntegerField(default=0)),
                ('is_denied', models.BooleanField(default=False)),
                ('reason', models.CharField(blank=True, max_length=300, verbose_name='why it was not asked, or broke off')),
                ('organization', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='outbound_requests', to='accounts.organization')),
                ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'request to the outside',
                'verbose_name_plural': 'requests to the outside',
                'indexes': [models.Index(fields=['organization', '-created_at'], name='outbound_newest')],
            },
        ),
        migrations.CreateModel(
            name='OutboundRule',
            fields=[
                ('id', models.CharField(default=kit.ids.new_id, editable=False, max_length=24, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now, editable=False)),
                ('effect', models.CharField(choices=[('allow', 'allow: what no such rule names is not asked'), ('deny', 'deny: wins over what is allowed')], max_length=5)),
                ('pattern', models.CharField(help_text='example.com is that host alone, *.example.com every host below it. What is denied may be a network such as 203.0.113.0/24.', max_length=255, verbose_name='host')),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('organization', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='outbound_rules', to='accounts.organization')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('organization', 'effect', 'pattern'), name='outbound_rule_once')],
            },
        ),
        migrations.CreateModel(
            name='OutgoingMail',
            fields=[
                ('id', models.CharField(default=kit.ids.new_id, editable=False, max_length=24, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now, editable=False)),
                ('kind', models.CharField(choices=[('password_reset', 'link to a new password'), ('invitation', 'Invitation'), ('address_check', 'link that proves the address')], max_length=16)),
                ('email', models.EmailField(db_index=True, max_length=254, verbose_name='to')),
                ('status', models.CharField(choices=[('waiting', 'Waiting'), ('sending', 'Sending'), ('sent', 'Sent'), ('failed', 'Failed'), ('dropped', 'not sent: nobody has this address, or what it is about is over')], default='waiting', max_length=8)),
                ('due_at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='is sent at this time or later')),
                ('attempt', models.PositiveIntegerField(default=0, editable=False, verbose_name='how often it was tried')),
                ('reason', models.CharField(blank=True, editable=False, max_length=300, verbose_name='why it was not sent')),
                ('sent_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('fence', models.PositiveIntegerField(default=0, editable=False)),
                ('lease_until', models.DateTimeField(blank=True, editable=False, null=True)),
                ('invitation', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='mails', to='accounts.invitation')),
            ],
            options={
                'verbose_name': 'outgoing mail',
                'indexes': [models.Index(fields=['status', 'due_at'], name='mail_due')],
            },
        ),
        migrations.AddConstraint(
            model_name='member',
            constraint=models.UniqueConstraint(fields=('organization', 'user'), name='one_membership_each'),
        ),
    ]
