import django.db.models.deletion
import django.utils.timezone
import documents.models.ordered_json
import kit.ids
from django.conf import settings
from django.db import DatabaseError, migrations, models, transaction

TERMS = "documents_pageterms"


def index_parts_of_names(apps, schema_editor):
    """On PostgreSQL, where its extension pg_trgm is there and may be used; without it a search reads every name."""
    if schema_editor.connection.vendor != "postgresql":
        return
    try:
        with transaction.atomic(using=schema_editor.connection.alias):
            schema_editor.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
    except DatabaseError:
        return
    schema_editor.execute("CREATE INDEX document_name_parts ON documents_document USING gin (name_folded gin_trgm_ops)")


def create_term_index(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("ALTER TABLE documents_indexedpage ADD COLUMN terms tsvector NOT NULL DEFAULT ''")
        # Without a list of pending entries, which every search would have to read through.
        schema_editor.execute(
            "CREATE INDEX documents_indexedpage_terms ON documents_indexedpage USING gin (terms) WITH (fastupdate=off)"
        )
    else:
        schema_editor.execute(f"CREATE VIRTUAL TABLE {TERMS} USING fts5(terms, tokenize='ascii tokenchars _')")




class Migration(migrations.Migration):

    replaces = [('documents', '0001_initial'), ('documents', '0002_tag_names_and_peer_keys'), ('documents', '0003_reading_followed_at'), ('documents', '0004_extraction_requests'), ('documents', '0005_document_upload_key'), ('documents', '0006_lists_at_size'), ('documents', '0007_values_in_order'), ('documents', '0008_model_calls_and_provider_keys'), ('documents', '0009_reservations_under_way'), ('documents', '0010_metadata_pairs'), ('documents', '0011_auto_create'), ('documents', '0011_names_by_their_parts'), ('documents', '0012_newest_documents_by_everything'), ('documents', '0013_proposal_candidates'), ('documents', '0014_readings_to_follow'), ('documents', '0015_auto_create_rounds'), ('documents', '0016_purging'), ('documents', '0017_time_worked_on_extractions'), ('documents', '0018_model_providers'), ('documents', '0019_what_allowed_an_edit'), ('documents', '0020_money_by_purpose'), ('documents', '0021_reading_shares'), ('documents', '0022_lasting_failures'), ('documents', '0023_reason_codes'), ('documents', '0024_days_in_trash'), ('documents', '0025_names'), ('documents', '0026_value_checks'), ('documents', '0027_pages_listed'), ('documents', '0028_current_values'), ('documents', '0029_bulk_actions'), ('documents', '0030_filters'), ('documents', '0031_bulk_retry'), ('documents', '0032_saved_views'), ('documents', '0033_parts'), ('documents', '0034_filter_indexes'), ('documents', '0035_setup_hint'), ('documents', '0036_illegible_pages'), ('documents', '0037_review_times'), ('documents', '0038_failing_runs'), ('documents', '0039_page_faults'), ('documents', '0040_pages_in_the_whole'), ('documents', '0041_bulk_item_runs'), ('documents', '0042_bulk_delete'), ('documents', '0043_search'), ('documents', '0044_first_tags_and_estimates'), ('documents', '0045_vectors'), ('documents', '0046_change_many'), ('documents', '0047_plurals'), ('documents', '0048_withdraw_runs'), ('documents', '0049_runs_go_on'), ('documents', '0050_proposal_siblings'), ('documents', '0051_printed_sums'), ('documents', '0052_models_that_see'), ('documents', '0053_condensed_readings'), ('documents', '0054_ask_documents'), ('documents', '0055_models_that_order')]

    initial = True

    dependencies = [
        ('accounts', '0001_squashed_0016_outbound'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='LanguageModel',
            fields=[
                ('id', models.CharField(default=kit.ids.new_id, editable=False, max_length=24, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now, editable=False)),
                ('name', models.CharField(max_length=200, unique=True)),
                ('provider', models.CharField(max_length=60)),
                ('key_setting', models.CharField(blank=True, max_length=80, verbose_name='environment variable of the key')),
                ('available', models.BooleanField(default=False, verbose_name='its key is set, or it needs none')),
                ('enabled', models.BooleanField(default=True)),
                ('local', models.BooleanField(default=False, verbose_name="what it is sent stays on machines of one's own")),
                ('embedding', models.BooleanField(default=False)),
                ('calls_tools', models.BooleanField(default=False)),
                ('answers_schema', models.BooleanField(default=False, verbose_name='answers to a JSON schema')),
                ('max_input_tokens', models.PositiveIntegerField(blank=True, null=True)),
                ('max_output_tokens', models.PositiveIntegerField(blank=True, null=True)),
                ('input_micros_per_mtok', models.BigIntegerField(blank=True, null=True)),
                ('output_micros_per_mtok', models.BigIntegerField(blank=True, null=True)),
                ('synced_at', models.DateTimeField(blank=True, null=True)),
                ('dimensions', models.PositiveIntegerField(blank=True, null=True, verbose_name='numbers in an embedding')),
                ('sees', models.BooleanField(default=False, verbose_name='takes pictures')),
                ('reranks', models.BooleanField(default=False, verbose_name='orders texts and writes nothing')),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='ModelProvider',
            fields=[
                ('id', models.CharField(default=kit.ids.new_id, editable=False, max_length=24, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now, editable=False)),
                ('name', models.CharField(max_length=60, unique=True)),
                ('key_setting', models.CharField(blank=True, max_length=80, verbose_name='environment variable of the key')),
                ('has_key', models.BooleanField(default=False, verbose_name='its key is in the environment, under whichever name')),
                ('synced_at', models.DateTimeField()),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='Budget',
            fields=[
                ('id', models.CharField(default=kit.ids.new_id, editable=False, max_length=24, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now, editable=False)),
                ('month', models.CharField(editable=False, max_length=7, verbose_name='YYYY-MM')),
                ('limit_micros', models.BigIntegerField(verbose_name='limit a month, in millionths of a dollar')),
                ('spent_micros', models.BigIntegerField(default=0, editable=False)),
                ('reserved_micros', models.BigIntegerField(default=0, editable=False)),
                ('organization', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='budget', to='accounts.organization')),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='BulkAction',
            fields=[
                ('id', models.CharField(default=kit.ids.new_id, editable=False, max_length=24, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now, editable=False)),
                ('role_ceiling', models.CharField(blank=True, choices=[('viewer', 'Viewer'), ('reviewer', 'Reviewer'), ('builder', 'Builder'), ('admin', 'Admin')], max_length=10, verbose_name='the most that it may do, where a limited token asked')),
                ('kind', models.CharField(choices=[('tag', 'Tag'), ('untag', 'Untag'), ('run', 'Run'), ('withdraw', 'Withdraw runs'), ('set_up', 'Set Up'), ('verify', 'Verify'), ('unverify', 'Unverify'), ('download', 'Download'), ('trash', 'Trash'), ('restore', 'Restore'), ('retry', 'Retry'), ('change', 'Change'), ('revert', 'Take a change back'), ('delete', 'Delete for good'), ('ask', 'Ask a question')], max_length=10)),
                ('arguments', models.JSONField(blank=True, default=dict)),
                ('status', models.CharField(choices=[('queued', 'Queued'), ('running', 'Running'), ('done', 'Done'), ('stopped', 'Stopped'), ('failed', 'Failed')], default='queued', max_length=10)),
                ('reason', models.TextField(blank=True, verbose_name='why it waits or ended early')),
                ('total_count', models.PositiveIntegerField(default=0)),
                ('done_count', models.PositiveIntegerField(default=0)),
                ('left_out_count', models.PositiveIntegerField(default=0)),
                ('failed_count', models.PositiveIntegerField(default=0)),
                ('request_key', models.CharField(blank=True, max_length=64, null=True, verbose_name='digest of the Idempotency-Key')),
                ('queued_at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='last put in the queue')),
                ('started_at', models.DateTimeField(blank=True, null=True)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
                ('dismissed_at', models.DateTimeField(blank=True, null=True, verbose_name='whoever asked has seen its end')),
                ('lease_until', models.DateTimeField(blank=True, null=True)),
                ('fence', models.PositiveIntegerField(default=0)),
                ('attempt', models.PositiveIntegerField(default=0, verbose_name='workers that died over it since it last came on')),
                ('request_hash', models.CharField(blank=True, max_length=64, verbose_name='digest of the request that came with the key')),
                ('estimate_micros', models.BigIntegerField(blank=True, editable=False, null=True, verbose_name='about what its runs would cost, in millionths of a dollar')),
                ('organization', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='bulk_actions', to='accounts.organization')),
                ('requested_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('undo_of', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='undo', to='documents.bulkaction')),
            ],
            options={
                'indexes': [models.Index(fields=['organization', '-created_at', '-id'], name='bulk_action_newest'), models.Index(condition=models.Q(('status__in', ['queued', 'running'])), fields=['status', 'queued_at'], name='bulk_action_runnable'), models.Index(fields=['finished_at'], name='bulk_action_ended')],
                'constraints': [models.UniqueConstraint(fields=('organization', 'request_key'), name='bulk_action_once')],
            },
        ),
        migrations.CreateModel(
            name='Document',
            fields=[
                ('id', models.CharField(default=kit.ids.new_id, editable=False, max_length=24, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now, editable=False)),
                ('name', models.CharField(max_length=255)),
                ('name_folded', models.CharField(editable=False, max_length=255)),
                ('sha256', models.CharField(db_index=True, editable=False, max_length=64)),
                ('size', models.BigIntegerField(editable=False, verbose_name='size in bytes')),
                ('media_type', models.CharField(editable=False, max_length=100)),
                ('file', models.FileField(editable=False, max_length=300, upload_to='')),
                ('state', models.CharField(choices=[('uploaded', 'Uploaded'), ('ocr_processing', 'Ocr Processing'), ('ocr_completed', 'Ocr Completed'), ('ocr_failed', 'Ocr Failed'), ('llm_processing', 'Llm Processing'), ('llm_completed', 'Llm Completed'), ('llm_failed', 'Llm Failed')], default='uploaded', editable=False, max_length=16)),
                ('state_reason', models.TextField(blank=True, editable=False)),
                ('metadata', models.JSONField(blank=True, default=dict)),
                ('uploaded_by_name', models.CharField(editable=False, max_length=200)),
                ('version', models.PositiveIntegerField(default=1, editable=False, verbose_name='counts every change')),
                ('trashed_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('upload_key', models.CharField(blank=True, editable=False, max_length=230, null=True, verbose_name='Idempotency-Key of its upload')),
                ('file_missing_since', models.DateTimeField(blank=True, editable=False, null=True, verbose_name='its stored file was not there')),
                ('purge_requested_at', models.DateTimeField(blank=True, editable=False, null=True, verbose_name='is being deleted for good: no way back')),
                ('state_code', models.CharField(blank=True, choices=[('password_missing', 'Password Missing'), ('password_wrong', 'Password Wrong')], editable=False, max_length=20, verbose_name='the reason for programs')),
                ('review', models.CharField(blank=True, choices=[('', 'nothing to verify'), ('to_verify', 'to verify'), ('verified', 'Verified')], default='', editable=False, max_length=9)),
                ('parts_reason', models.TextField(blank=True, editable=False, verbose_name='which files in it are no documents, and why')),
                ('unpacking', models.CharField(blank=True, choices=[('waiting', 'Waiting'), ('done', 'Done')], editable=False, max_length=8)),
                ('first_page', models.PositiveIntegerField(blank=True, editable=False, null=True, verbose_name='of its pages in the whole')),
                ('last_page', models.PositiveIntegerField(blank=True, editable=False, null=True, verbose_name='of its pages in the whole')),
                ('first_tag', models.CharField(blank=True, default='', editable=False, max_length=200, verbose_name='name of its first tag, to sort by')),
                ('duplicate_of', models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, to='documents.document')),
                ('organization', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='documents', to='accounts.organization')),
                ('parent', models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='parts', to='documents.document', verbose_name='the mail, archive or whole that it came in')),
                ('trashed_by', models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('uploaded_by', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['organization', 'trashed_at', 'name_folded', '-created_at', '-id'], name='document_by_name'), models.Index(fields=['organization', 'trashed_at', 'state', '-created_at', '-id'], name='document_by_state'), models.Index(fields=['organization', 'trashed_at', 'uploaded_by_name', '-created_at', '-id'], name='document_by_uploader'), models.Index(fields=['organization', 'trashed_at', '-created_at', '-id', 'state', 'uploaded_by_name', 'name_folded'], name='document_newest'), models.Index(condition=models.Q(('trashed_at__isnull', False)), fields=['trashed_at'], name='document_in_trash'), models.Index(condition=models.Q(('purge_requested_at__isnull', False)), fields=['purge_requested_at'], name='document_to_purge'), models.Index(fields=['organization', 'trashed_at', 'review', '-created_at', '-id', 'state'], name='document_by_review'), models.Index(fields=['organization', 'trashed_at', 'media_type', '-created_at', '-id'], name='document_by_kind'), models.Index(condition=models.Q(('unpacking', 'waiting')), fields=['unpacking'], name='document_to_unpack'), models.Index(fields=['organization', 'trashed_at', 'first_tag', '-created_at', '-id'], name='document_by_tag')],
                'constraints': [models.UniqueConstraint(fields=('organization', 'upload_key'), name='document_upload_once')],
            },
        ),
        migrations.CreateModel(
            name='CondensedReading',
            fields=[
                ('id', models.CharField(default=kit.ids.new_id, editable=False, max_length=24, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now, editable=False)),
                ('model', models.CharField(max_length=200)),
                ('question', models.CharField(blank=True, max_length=500, verbose_name='empty: a summary')),
                ('question_key', models.CharField(max_length=32)),
                ('text', models.TextField()),
                ('pages', models.JSONField(default=list, verbose_name='pages it was made from')),
                ('organization', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.organization')),
                ('document', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='documents.document')),
            ],
        ),
        migrations.CreateModel(
            name='EmbeddingChoice',
            fields=[
                ('id', models.CharField(default=kit.ids.new_id, editable=False, max_length=24, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now, editable=False)),
                ('model', models.CharField(blank=True, max_length=200, verbose_name='model; empty: none, words alone')),
                ('organization', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='embedding_choice', to='accounts.organization')),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='Extraction',
            fields=[
                ('id', models.CharField(default=kit.ids.new_id, editable=False, max_length=24, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now, editable=False)),
                ('number', models.PositiveIntegerField(verbose_name='counts the runs on the document')),
                ('model', models.CharField(max_length=200)),
                ('status', models.CharField(choices=[('queued', 'Queued'), ('running', 'Running'), ('completed', 'Completed'), ('failed', 'Failed'), ('withdrawn', 'Withdrawn')], default='queued', max_length=10)),
                ('reason', models.TextField(blank=True)),
                ('raw', models.TextField(blank=True, verbose_name="the model's answer as it came")),
                ('result', documents.models.ordered_json.OrderedJSONField(blank=True, null=True)),
                ('current', documents.models.ordered_json.OrderedJSONField(blank=True, null=True)),
                ('provenance', models.JSONField(blank=True, default=dict)),
                ('conflicts', models.JSONField(blank=True, default=list)),
                ('coverage', models.JSONField(blank=True, default=list, verbose_name='pages seen')),
                ('page_count', models.PositiveIntegerField(default=0)),
                ('cost_micros', models.BigIntegerField(default=0, verbose_name='cost in millionths of a dollar')),
                ('prompt_tokens', models.PositiveIntegerField(default=0)),
                ('completion_tokens', models.PositiveIntegerField(default=0)),
                ('version', models.PositiveIntegerField(default=1, verbose_name='counts edits and verifications')),
                ('call_id', models.CharField(blank=True, editable=False, max_length=24, null=True, unique=True, verbose_name='id of the tool call that made it')),
                ('lease_until', models.DateTimeField(blank=True, null=True)),
                ('fence', models.PositiveIntegerField(default=0)),
                ('attempt', models.PositiveIntegerField(default=0)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
                ('request_keys', models.JSONField(blank=True, default=list, verbose_name='digests of the Idempotency-Keys that got this run')),
                ('claimed_at', models.DateTimeField(blank=True, null=True, verbose_name='when the present or last claim began')),
                ('worked_ms', models.PositiveBigIntegerField(default=0, verbose_name='time that claims which broke off have worked on it')),
                ('waits_for_budget', models.BooleanField(default=False, verbose_name='queued until the budget covers it')),
                ('check_results', models.JSONField(blank=True, default=list, verbose_name="verdicts of the schema's value checks")),
                ('failed_check_count', models.PositiveIntegerField(default=0, verbose_name='value checks that failed')),
                ('values_indexed_at', models.DateTimeField(blank=True, null=True, verbose_name='its values were looked through for filters')),
                ('asked_pages', models.JSONField(blank=True, default=list, verbose_name='pages asked for of what it continues')),
                ('printed_sums', models.JSONField(blank=True, default=dict, verbose_name='totals on the pages, and lines beside the rows')),
                ('continues', models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='continuations', to='documents.extraction')),
                ('document', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='extractions', to='documents.document')),
                ('requested_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['status', 'lease_until'], name='extraction_runnable'), models.Index(condition=models.Q(('values_indexed_at', None)), fields=['status', 'id'], name='extraction_to_index'), models.Index(fields=['status', 'failed_check_count', 'document'], name='extraction_failing')],
                'constraints': [models.UniqueConstraint(fields=('document', 'number'), name='extraction_number_once')],
            },
        ),
        migrations.CreateModel(
            name='DuplicateKey',
            fields=[
                ('id', models.CharField(default=kit.ids.new_id, editable=False, max_length=24, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now, editable=False)),
                ('digest', models.CharField(max_length=64)),
                ('is_current', models.BooleanField(default=True)),
                ('peers_due', models.BooleanField(default=True, verbose_name='others of the same digest are to be judged again')),
                ('document', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='duplicate_keys', to='documents.document')),
                ('extraction', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='duplicate_keys', to='documents.extraction')),
            ],
            options={
                'indexes': [models.Index(fields=['digest'], name='duplicate_key_digest'), models.Index(condition=models.Q(('peers_due', True)), fields=['created_at'], name='duplicate_key_due')],
            },
        ),
        migrations.CreateModel(
            name='BulkItem',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('status', models.CharField(choices=[('pending', 'Pending'), ('started', 'Started'), ('done', 'Done'), ('left_out', 'Left Out'), ('failed', 'Failed')], default='pending', max_length=8)),
                ('code', models.CharField(blank=True, max_length=40, verbose_name='the reason for programs')),
                ('reason', models.TextField(blank=True)),
                ('undo', models.JSONField(blank=True, null=True, verbose_name='what undoing it needs; of an undo that waits: what it was')),
                ('attempt', models.PositiveIntegerField(default=0)),
                ('fence', models.PositiveIntegerField(default=0)),
                ('lease_until', models.DateTimeField(blank=True, null=True, verbose_name='claimed, or resting, until')),
                ('action', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='items', to='documents.bulkaction')),
                ('condensed', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='documents.condensedreading', verbose_name='what it says to the question')),
                ('document', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='bulk_items', to='documents.document')),
                ('runs', models.ManyToManyField(blank=True, related_name='bulk_items', to='documents.extraction')),
            ],
            options={
                'indexes': [models.Index(fields=['action', 'status', 'id'], name='bulk_item_next'), models.Index(condition=models.Q(('lease_until__isnull', False)), fields=['lease_until'], name='bulk_item_leased'), models.Index(condition=models.Q(('condensed__isnull', False)), fields=['condensed'], name='bulk_item_condensed')],
            },
        ),
        migrations.CreateModel(
            name='FieldEdit',
            fields=[
                ('id', models.CharField(default=kit.ids.new_id, editable=False, max_length=24, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now, editable=False)),
                ('number', models.PositiveIntegerField()),
                ('kind', models.CharField(choices=[('set', 'Set'), ('add_row', 'Add Row'), ('remove_row', 'Remove Row')], default='set', max_length=10)),
                ('where', models.CharField(max_length=500, verbose_name='field address on row ids')),
                ('old', models.JSONField(null=True)),
                ('new', models.JSONField(null=True)),
                ('origin', models.CharField(choices=[('person', 'Person'), ('agent_approved', 'agent, approved by a person'), ('agent_rule', 'agent, allowed by a rule or mode')], max_length=16)),
                ('call_id', models.CharField(blank=True, max_length=24, verbose_name='id of the tool call')),
                ('allowed_by', models.CharField(blank=True, max_length=300, verbose_name='what let the agent change it without a person')),
                ('carried_from', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to='documents.fieldedit')),
                ('extraction', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='edits', to='documents.extraction')),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['number'],
                'constraints': [models.UniqueConstraint(fields=('extraction', 'number'), name='edit_number_once')],
            },
        ),
        migrations.CreateModel(
            name='IndexedWord',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('word', models.CharField(max_length=60)),
                ('reversed_word', models.CharField(max_length=60)),
                ('organization', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.organization')),
            ],
            options={
                'indexes': [models.Index(fields=['organization', 'reversed_word'], name='indexed_word_end', opclasses=['varchar_pattern_ops', 'varchar_pattern_ops'])],
                'constraints': [models.UniqueConstraint(fields=('organization', 'word'), name='indexed_word_once', opclasses=['varchar_pattern_ops', 'varchar_pattern_ops'])],
            },
        ),
        migrations.CreateModel(
            name='MetadataPair',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('digest', models.CharField(max_length=32)),
                ('document', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='pairs', to='documents.document')),
            ],
            options={
                'indexes': [models.Index(fields=['digest', 'document'], name='metadata_pair_documents')],
                'constraints': [models.UniqueConstraint(fields=('document', 'digest'), name='metadata_pair_once')],
            },
        ),
        migrations.CreateModel(
            name='ModelCall',
            fields=[
                ('id', models.CharField(default=kit.ids.new_id, editable=False, max_length=24, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now, editable=False)),
                ('kind', models.CharField(choices=[('chat', 'Chat'), ('embedding', 'Embedding')], max_length=10)),
                ('model', models.CharField(max_length=200)),
                ('request', models.JSONField(help_text='As it was asked: messages and limits, or the texts to embed.')),
                ('status', models.CharField(choices=[('queued', 'Queued'), ('running', 'Running'), ('completed', 'Completed'), ('failed', 'Failed'), ('cancelled', 'Cancelled')], default='queued', max_length=10)),
                ('answer', models.JSONField(blank=True, null=True)),
                ('reason', models.TextField(blank=True)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
                ('expires_at', models.DateTimeField(db_index=True, verbose_name='nobody waits any longer')),
                ('failure_status', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='HTTP status of the failure')),
                ('organization', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='model_calls', to='accounts.organization')),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='ModelPrice',
            fields=[
                ('id', models.CharField(default=kit.ids.new_id, editable=False, max_length=24, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now, editable=False)),
                ('name', models.CharField(max_length=200, unique=True, verbose_name='model, or a pattern such as hosted_vllm/*')),
                ('input_micros_per_mtok', models.BigIntegerField(verbose_name='millionths of a dollar for a million tokens read')),
                ('output_micros_per_mtok', models.BigIntegerField(verbose_name='millionths of a dollar for a million tokens written')),
                ('set_at', models.DateTimeField()),
                ('set_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='Prompt',
            fields=[
                ('id', models.CharField(default=kit.ids.new_id, editable=False, max_length=24, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now, editable=False)),
                ('name', models.CharField(max_length=200)),
                ('name_folded', models.CharField(editable=False, max_length=200)),
                ('trashed_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('organization', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.organization')),
            ],
            options={
                'constraints': [models.UniqueConstraint(condition=models.Q(('trashed_at', None)), fields=('organization', 'name_folded'), name='prompt_name_once')],
            },
        ),
        migrations.CreateModel(
            name='PromptRevision',
            fields=[
                ('id', models.CharField(default=kit.ids.new_id, editable=False, max_length=24, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now, editable=False)),
                ('number', models.PositiveIntegerField()),
                ('status', models.CharField(choices=[('accepted', 'Accepted'), ('proposed', 'Proposed'), ('rejected', 'Rejected')], default='accepted', max_length=10)),
                ('content', models.TextField()),
                ('model', models.CharField(blank=True, help_text="Empty: the organization's extraction model.", max_length=200)),
                ('include', models.JSONField(blank=True, default=dict)),
                ('peer_match_keys', models.JSONField(blank=True, default=list, help_text='Metadata that tells which documents belong together. Kept, not used yet.')),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('prompt', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='revisions', to='documents.prompt')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('prompt', 'number'), name='prompt_revision_once')],
            },
        ),
        migrations.AddField(
            model_name='prompt',
            name='latest',
            field=models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='documents.promptrevision'),
        ),
        migrations.AddField(
            model_name='extraction',
            name='prompt_revision',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='extractions', to='documents.promptrevision'),
        ),
        migrations.CreateModel(
            name='Proposal',
            fields=[
                ('id', models.CharField(default=kit.ids.new_id, editable=False, max_length=24, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now, editable=False)),
                ('status', models.CharField(choices=[('designing', 'Designing'), ('proposed', 'Proposed'), ('accepted', 'Accepted'), ('rejected', 'Rejected'), ('failed', 'Failed')], default='designing', max_length=10)),
                ('reused', models.BooleanField(default=False, verbose_name='accepted definitions fit; nothing was made')),
                ('extends', models.BooleanField(default=False, verbose_name='its schema revision extends one that was accepted')),
                ('note', models.TextField(blank=True, verbose_name='what a person should know of the run')),
                ('model', models.CharField(blank=True, help_text='Empty: the default agent model.', max_length=200)),
                ('reason', models.TextField(blank=True)),
                ('decided_at', models.DateTimeField(blank=True, null=True)),
                ('candidates', models.JSONField(default=list, verbose_name='accepted definitions that may fit: prompt revision and likeness')),
                ('created_ids', models.JSONField(blank=True, default=dict, verbose_name='ids of what the run created, by kind')),
                ('pages_read', models.JSONField(blank=True, default=list, verbose_name='pages of the lead that the run has read whole')),
                ('decided_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('lead', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='led_proposals', to='documents.document')),
                ('organization', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='proposals', to='accounts.organization')),
                ('prompt_revision', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='proposals', to='documents.promptrevision')),
            ],
            options={
                'indexes': [models.Index(fields=['organization', 'status'], name='proposal_by_status')],
            },
        ),
        migrations.CreateModel(
            name='AutoSetup',
            fields=[
                ('id', models.CharField(default=kit.ids.new_id, editable=False, max_length=24, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now, editable=False)),
                ('status', models.CharField(choices=[('queued', 'Queued'), ('running', 'Running'), ('skipped', 'Skipped'), ('failed', 'Failed'), ('proposed', 'Proposed'), ('accepted', 'Accepted'), ('rejected', 'Rejected')], default='queued', max_length=10)),
                ('reason', models.TextField(blank=True)),
                ('thread_id', models.CharField(blank=True, max_length=24, verbose_name='the thread of the run')),
                ('turn_id', models.CharField(blank=True, max_length=24, verbose_name='the turn of the run')),
                ('model', models.CharField(blank=True, help_text='Empty: the default agent model.', max_length=200)),
                ('done_at', models.DateTimeField(blank=True, null=True)),
                ('decided_at', models.DateTimeField(blank=True, null=True)),
                ('rounds', models.PositiveIntegerField(default=0, verbose_name='rounds of the run that are done')),
                ('hint', models.TextField(blank=True, verbose_name='what whoever asked tells the agent')),
                ('decided_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('requested_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('document', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='auto_setup', to='documents.document')),
                ('extraction', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='documents.extraction')),
                ('proposal', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='members', to='documents.proposal')),
            ],
            options={
                'indexes': [models.Index(fields=['status', 'created_at'], name='auto_setup_waiting')],
            },
        ),
        migrations.CreateModel(
            name='ProposalSibling',
            fields=[
                ('id', models.CharField(default=kit.ids.new_id, editable=False, max_length=24, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now, editable=False)),
                ('thread_id', models.CharField(db_index=True, max_length=24, verbose_name='the thread of the run')),
                ('likeness', models.FloatField(verbose_name='0 to 1')),
                ('page_count', models.PositiveIntegerField(default=0)),
                ('pages_read', models.JSONField(blank=True, default=list, verbose_name='pages that the run has read whole')),
                ('trial', models.JSONField(blank=True, default=dict, verbose_name='what the newest try brought')),
                ('reason', models.TextField(blank=True, verbose_name='why it was not tried')),
                ('document', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sibling_of', to='documents.document')),
                ('prompt_revision', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='documents.promptrevision')),
                ('proposal', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='siblings', to='documents.proposal')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('proposal', 'document'), name='sibling_once')],
            },
        ),
        migrations.CreateModel(
            name='ProviderKey',
            fields=[
                ('id', models.CharField(default=kit.ids.new_id, editable=False, max_length=24, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now, editable=False)),
                ('provider', models.CharField(max_length=60, unique=True)),
                ('sealed', models.TextField(verbose_name='the key, encrypted')),
                ('stored_at', models.DateTimeField()),
                ('last_characters', models.CharField(blank=True, max_length=4, verbose_name='its last characters')),
                ('stored_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='QueryVector',
            fields=[
                ('id', models.CharField(default=kit.ids.new_id, editable=False, max_length=24, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now, editable=False)),
                ('model', models.CharField(max_length=200)),
                ('text', models.CharField(max_length=500)),
                ('vector', models.BinaryField(null=True)),
                ('problem', models.CharField(blank=True, max_length=300)),
                ('organization', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.organization')),
            ],
            options={
                'indexes': [models.Index(fields=['created_at'], name='query_vector_age')],
                'constraints': [models.UniqueConstraint(fields=('organization', 'model', 'text'), name='query_vector_once')],
            },
        ),
        migrations.CreateModel(
            name='RankedDocuments',
            fields=[
                ('id', models.CharField(default=kit.ids.new_id, editable=False, max_length=24, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now, editable=False)),
                ('model', models.CharField(max_length=200)),
                ('key', models.CharField(max_length=32, verbose_name='of the question and the readings')),
                ('places', models.JSONField(default=list)),
                ('organization', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.organization')),
            ],
            options={
                'verbose_name_plural': 'ranked documents',
                'constraints': [models.UniqueConstraint(fields=('organization', 'model', 'key'), name='ranked_documents_once')],
            },
        ),
        migrations.CreateModel(
            name='Reading',
            fields=[
                ('id', models.CharField(default=kit.ids.new_id, editable=False, max_length=24, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now, editable=False)),
                ('number', models.PositiveIntegerField()),
                ('engine', models.CharField(blank=True, max_length=40)),
                ('settings', models.JSONField(blank=True, default=dict)),
                ('status', models.CharField(choices=[('queued', 'Queued'), ('reading', 'Reading'), ('completed', 'Completed'), ('failed', 'Failed')], default='queued', max_length=10)),
                ('reason', models.TextField(blank=True)),
                ('queued_at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='last put in the queue')),
                ('page_count', models.PositiveIntegerField(blank=True, null=True)),
                ('pages_read', models.PositiveIntegerField(default=0)),
                ('lease_until', models.DateTimeField(blank=True, null=True)),
                ('fence', models.PositiveIntegerField(default=0)),
                ('attempt', models.PositiveIntegerField(default=0)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
                ('computing_ms', models.PositiveBigIntegerField(default=0, verbose_name='computing time so far, in milliseconds')),
                ('reason_code', models.CharField(blank=True, choices=[('password_missing', 'Password Missing'), ('password_wrong', 'Password Wrong')], max_length=20, verbose_name='the reason for programs')),
                ('is_permanent', models.BooleanField(default=False, verbose_name='it failed because of the file, and would again')),
                ('prompts_started_at', models.DateTimeField(blank=True, null=True, verbose_name='its prompts were started')),
                ('pages_listed', models.PositiveIntegerField(default=0, verbose_name='pages that have a row, read or waiting to be')),
                ('words_indexed_at', models.DateTimeField(blank=True, editable=False, null=True, verbose_name='its words are found since')),
                ('vectors_due_at', models.DateTimeField(blank=True, editable=False, null=True, verbose_name='its vectors are wanted')),
                ('document', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='readings', to='documents.document')),
            ],
            options={
                'indexes': [models.Index(fields=['status', 'lease_until'], name='reading_runnable'), models.Index(condition=models.Q(('prompts_started_at', None), ('status', 'completed')), fields=['finished_at'], name='reading_to_trigger'), models.Index(condition=models.Q(('status', 'completed'), ('words_indexed_at', None)), fields=['id'], name='reading_words'), models.Index(condition=models.Q(('vectors_due_at__isnull', False)), fields=['vectors_due_at'], name='reading_vectors')],
                'constraints': [models.UniqueConstraint(fields=('document', 'number'), name='reading_number_once')],
            },
        ),
        migrations.CreateModel(
            name='PageChunk',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('page', models.PositiveIntegerField()),
                ('first_line', models.PositiveIntegerField()),
                ('last_line', models.PositiveIntegerField()),
                ('model', models.CharField(max_length=200)),
                ('dimensions', models.PositiveIntegerField()),
                ('digest', models.CharField(max_length=32)),
                ('vector', models.BinaryField()),
                ('document', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='chunks', to='documents.document')),
                ('organization', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.organization')),
                ('reading', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='documents.reading')),
            ],
            options={
                'indexes': [models.Index(fields=['organization', 'model', '-id'], name='chunks_to_compare')],
            },
        ),
        migrations.CreateModel(
            name='Page',
            fields=[
                ('id', models.CharField(default=kit.ids.new_id, editable=False, max_length=24, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now, editable=False)),
                ('number', models.PositiveIntegerField()),
                ('width', models.FloatField(help_text='In points for PDF, in pixels for pictures, as shown.')),
                ('height', models.FloatField()),
                ('rotation', models.SmallIntegerField(default=0)),
                ('text', models.TextField(blank=True)),
                ('confidence', models.FloatField(blank=True, help_text="Mean of the engine's own, 0 to 1.", null=True)),
                ('engine', models.CharField(blank=True, help_text='Empty until something has read the page.', max_length=40)),
                ('words', models.BinaryField()),
                ('illegible', models.PositiveSmallIntegerField(default=0, help_text='Percent of the length of its lines that no letters were recognized for.')),
                ('fault', models.CharField(blank=True, help_text='Why it could not be read whole, as a sentence.', max_length=300)),
                ('reading', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='pages', to='documents.reading')),
            ],
            options={
                'ordering': ['number'],
                'constraints': [models.UniqueConstraint(fields=('reading', 'number'), name='page_number_once')],
            },
        ),
        migrations.CreateModel(
            name='IndexedPage',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('number', models.PositiveIntegerField()),
                ('part', models.PositiveSmallIntegerField(default=0)),
                ('document', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='indexed_pages', to='documents.document')),
                ('organization', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.organization')),
                ('reading', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='documents.reading')),
            ],
        ),
        migrations.AddField(
            model_name='extraction',
            name='reading',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='extractions', to='documents.reading'),
        ),
        migrations.AddField(
            model_name='condensedreading',
            name='reading',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='documents.reading'),
        ),
        migrations.CreateModel(
            name='ReadingShare',
            fields=[
                ('id', models.CharField(default=kit.ids.new_id, editable=False, max_length=24, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now, editable=False)),
                ('began_at_ms', models.BigIntegerField(default=0, verbose_name='where its last slice began')),
                ('next_at_ms', models.BigIntegerField(default=0, verbose_name='where its next slice begins')),
                ('organization', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.organization')),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='Reservation',
            fields=[
                ('id', models.CharField(default=kit.ids.new_id, editable=False, max_length=24, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now, editable=False)),
                ('purpose', models.CharField(max_length=40)),
                ('model', models.CharField(max_length=200)),
                ('month', models.CharField(max_length=7, verbose_name='YYYY-MM')),
                ('estimate_micros', models.BigIntegerField()),
                ('status', models.CharField(choices=[('open', 'Open'), ('settled', 'Settled'), ('estimated', 'settled at the estimate'), ('released', 'released: nothing was sent')], default='open', max_length=10)),
                ('expires_at', models.DateTimeField(db_index=True)),
                ('provider', models.CharField(blank=True, max_length=60)),
                ('max_tokens', models.PositiveIntegerField(default=0, verbose_name='how long the answer may be')),
                ('price_known', models.BooleanField(default=True)),
                ('subject_id', models.CharField(blank=True, max_length=24, verbose_name='turn or extraction')),
                ('organization', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='reservations', to='accounts.organization')),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'abstract': False,
                'indexes': [models.Index(fields=['status', 'provider'], name='reservation_under_way'), models.Index(condition=models.Q(('status', 'open')), fields=['subject_id'], name='reservation_of_subject')],
            },
        ),
        migrations.CreateModel(
            name='ReviewTime',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField()),
                ('seconds', models.PositiveIntegerField()),
                ('document_count', models.PositiveIntegerField(default=0)),
                ('organization', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='review_times', to='accounts.organization')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('organization', 'day', 'seconds'), name='review_time_once')],
            },
        ),
        migrations.CreateModel(
            name='SavedView',
            fields=[
                ('id', models.CharField(default=kit.ids.new_id, editable=False, max_length=24, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now, editable=False)),
                ('name', models.CharField(max_length=80)),
                ('query', models.CharField(blank=True, max_length=4000, verbose_name='filters as an address says them')),
                ('position', models.PositiveIntegerField(default=0)),
                ('organization', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='saved_views', to='accounts.organization')),
                ('owner', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['organization', 'owner', 'position'], name='saved_view_order')],
            },
        ),
        migrations.CreateModel(
            name='Schema',
            fields=[
                ('id', models.CharField(default=kit.ids.new_id, editable=False, max_length=24, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now, editable=False)),
                ('name', models.CharField(max_length=200)),
                ('name_folded', models.CharField(editable=False, max_length=200)),
                ('trashed_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('organization', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.organization')),
            ],
            options={
                'constraints': [models.UniqueConstraint(condition=models.Q(('trashed_at', None)), fields=('organization', 'name_folded'), name='schema_name_once')],
            },
        ),
        migrations.CreateModel(
            name='CurrentValue',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('path', models.CharField(max_length=200, verbose_name='field, without positions')),
                ('row', models.CharField(blank=True, max_length=100, verbose_name='ids of the rows that have it')),
                ('text', models.CharField(blank=True, max_length=200)),
                ('number', models.DecimalField(blank=True, decimal_places=6, max_digits=24, null=True)),
                ('day', models.DateField(blank=True, null=True)),
                ('organization', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.organization')),
                ('document', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='current_values', to='documents.document')),
                ('prompt', models.ForeignKey(db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='documents.prompt')),
                ('schema', models.ForeignKey(db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='documents.schema')),
            ],
            options={
                'indexes': [models.Index(fields=['organization', 'path', 'text', 'document'], name='current_value_text'), models.Index(condition=models.Q(('number__isnull', False)), fields=['organization', 'path', 'number', 'document'], name='current_value_number'), models.Index(condition=models.Q(('day__isnull', False)), fields=['organization', 'path', 'day', 'document'], name='current_value_day'), models.Index(fields=['organization', 'text', 'document'], name='current_value_start', opclasses=['varchar_pattern_ops', 'varchar_pattern_ops', 'varchar_pattern_ops'])],
            },
        ),
        migrations.CreateModel(
            name='SchemaRevision',
            fields=[
                ('id', models.CharField(default=kit.ids.new_id, editable=False, max_length=24, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now, editable=False)),
                ('number', models.PositiveIntegerField()),
                ('status', models.CharField(choices=[('accepted', 'Accepted'), ('proposed', 'Proposed'), ('rejected', 'Rejected')], default='accepted', max_length=10)),
                ('response_format', documents.models.ordered_json.OrderedJSONField()),
                ('value_checks', documents.models.ordered_json.OrderedJSONField(blank=True, default=list, verbose_name='what must hold between its values')),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('schema', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='revisions', to='documents.schema')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('schema', 'number'), name='schema_revision_once')],
            },
        ),
        migrations.AddField(
            model_name='schema',
            name='latest',
            field=models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='documents.schemarevision'),
        ),
        migrations.AddField(
            model_name='proposal',
            name='schema_revision',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='proposals', to='documents.schemarevision'),
        ),
        migrations.AddField(
            model_name='promptrevision',
            name='schema_revision',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='prompt_revisions', to='documents.schemarevision'),
        ),
        migrations.AddField(
            model_name='extraction',
            name='schema_revision',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='extractions', to='documents.schemarevision'),
        ),
        migrations.CreateModel(
            name='Sketch',
            fields=[
                ('id', models.CharField(default=kit.ids.new_id, editable=False, max_length=24, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now, editable=False)),
                ('words', models.JSONField(default=list, verbose_name='smallest hashes of its word shingles')),
                ('layout', models.JSONField(default=list, verbose_name='where on the pages words are')),
                ('document', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='sketch', to='documents.document')),
            ],
            options={
                'abstract': False,
                'verbose_name_plural': 'sketches',
            },
        ),
        migrations.CreateModel(
            name='Tag',
            fields=[
                ('id', models.CharField(default=kit.ids.new_id, editable=False, max_length=24, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now, editable=False)),
                ('name', models.CharField(max_length=200)),
                ('color', models.CharField(default='#3B82F6', max_length=9)),
                ('description', models.TextField(blank=True)),
                ('name_folded', models.CharField(editable=False, max_length=200)),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL)),
                ('organization', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tags', to='accounts.organization')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('organization', 'name'), name='tag_name_once')],
            },
        ),
        migrations.AddField(
            model_name='proposal',
            name='tag',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='proposals', to='documents.tag'),
        ),
        migrations.AddField(
            model_name='promptrevision',
            name='tags',
            field=models.ManyToManyField(blank=True, related_name='prompt_revisions', to='documents.tag'),
        ),
        migrations.AddField(
            model_name='document',
            name='tags',
            field=models.ManyToManyField(blank=True, related_name='documents', to='documents.tag'),
        ),
        migrations.CreateModel(
            name='Usage',
            fields=[
                ('id', models.CharField(default=kit.ids.new_id, editable=False, max_length=24, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now, editable=False)),
                ('purpose', models.CharField(max_length=40)),
                ('subject_id', models.CharField(db_index=True, max_length=24, verbose_name='turn or extraction')),
                ('model', models.CharField(max_length=200)),
                ('prompt_tokens', models.PositiveIntegerField(default=0)),
                ('completion_tokens', models.PositiveIntegerField(default=0)),
                ('cost_micros', models.BigIntegerField()),
                ('price_known', models.BooleanField(default=True)),
                ('duration_ms', models.PositiveIntegerField(default=0)),
                ('organization', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='usages', to='accounts.organization')),
                ('reservation', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='usage', to='documents.reservation')),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'abstract': False,
                'indexes': [models.Index(fields=['organization', 'purpose', 'model', '-created_at'], name='usage_of_purpose')],
            },
        ),
        migrations.CreateModel(
            name='Verification',
            fields=[
                ('id', models.CharField(default=kit.ids.new_id, editable=False, max_length=24, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now, editable=False)),
                ('where', models.CharField(blank=True, max_length=500, verbose_name='field address on row ids')),
                ('cleared_at', models.DateTimeField(blank=True, null=True)),
                ('cleared_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('extraction', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='verifications', to='documents.extraction')),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(condition=models.Q(('cleared_at', None)), fields=('extraction', 'where'), name='verified_once')],
            },
        ),
        migrations.CreateModel(
            name='WordIndex',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('word_count', models.PositiveIntegerField(default=0, verbose_name='words on its list')),
                ('organization', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.organization')),
            ],
            options={
                'verbose_name_plural': 'word indexes',
            },
        ),
        migrations.AddConstraint(
            model_name='condensedreading',
            constraint=models.UniqueConstraint(fields=('reading', 'model', 'question_key'), name='condensed_reading_once'),
        ),
        migrations.RunPython(index_parts_of_names),
        migrations.RunPython(create_term_index),
    ]
