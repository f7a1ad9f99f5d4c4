"""Addresses of models, runs and results."""

from __future__ import annotations

from django.urls import path

from documents.api.llm import (
    bare_calls,
    bulk_runs,
    catalogue,
    estimates,
    held_runs,
    prompt_results,
    prompt_runs,
    run_fields,
    run_history,
)

_O = "orgs/<str:organization_id>/llm"
_RUNS = "orgs/<str:organization_id>/documents/<str:document_id>/extractions"
_FIELDS = f"{_RUNS}/<str:extraction_id>/fields"
urlpatterns = [
    path(f"{_O}/models", catalogue.OrganizationModels.as_view(), name="v0-llm-models"),
    path(f"{_O}/run", bare_calls.OrganizationChat.as_view(), name="v0-llm-chat"),
    path(f"{_O}/run/<str:document_id>", prompt_runs.RunPrompt.as_view(), name="v0-llm-run"),
    path(f"{_O}/runs/<str:run_id>", prompt_runs.Run.as_view(), name="v0-llm-run-status"),
    path(f"{_O}/result/<str:document_id>", prompt_results.Result.as_view(), name="v0-llm-result"),
    path(f"{_O}/results/<str:document_id>/download", prompt_results.ResultsFile.as_view(), name="v0-llm-results-file"),
    path(f"{_O}/bulk-analyze", bulk_runs.BulkAnalysis.as_view(), name="v0-llm-bulk-analyze"),
    path(f"{_O}/estimate", estimates.CostEstimate.as_view(), name="v0-llm-estimate"),
    path("orgs/<str:organization_id>/held_runs", held_runs.HeldRuns.as_view(), name="v0-held-runs"),
    path(
        "orgs/<str:organization_id>/held_runs/<str:held_run_id>/decision",
        held_runs.HeldRunDecision.as_view(),
        name="v0-held-run-decision",
    ),
    path(_RUNS, run_history.Extractions.as_view(), name="v0-extractions"),
    path(f"{_RUNS}/<str:extraction_id>", run_history.OneExtraction.as_view(), name="v0-extraction"),
    path(_FIELDS, run_fields.Fields.as_view(), name="v0-fields"),
    path(f"{_FIELDS}/verify", run_fields.FieldVerification.as_view(), name="v0-field-verify"),
    path(f"{_FIELDS}/unverify", run_fields.FieldVerificationRemoval.as_view(), name="v0-field-unverify"),
    path("account/llm/run", bare_calls.AccountChat.as_view(), name="v0-account-llm-chat"),
    path("account/llm/test/embedding", bare_calls.AccountEmbedding.as_view(), name="v0-account-llm-embedding"),
    path("account/llm/models", catalogue.AccountModels.as_view(), name="v0-account-llm-models"),
    path("account/llm/provider/<str:name>", catalogue.OneProvider.as_view(), name="v0-llm-provider"),
    path("account/llm/providers", catalogue.Providers.as_view(), name="v0-llm-providers"),
]
