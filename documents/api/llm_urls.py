"""Addresses of models, runs and results."""

from __future__ import annotations

from django.urls import path

from documents.api import llm_bulk, llm_calls, llm_models, llm_results, llm_runs

_O = "orgs/<str:organization_id>/llm"
urlpatterns = [
    path(f"{_O}/models", llm_models.OrganizationModels.as_view(), name="v0-llm-models"),
    path(f"{_O}/run", llm_calls.OrganizationChat.as_view(), name="v0-llm-chat"),
    path(f"{_O}/run/<str:document_id>", llm_runs.RunPrompt.as_view(), name="v0-llm-run"),
    path(f"{_O}/runs/<str:run_id>", llm_runs.Run.as_view(), name="v0-llm-run-status"),
    path(f"{_O}/result/<str:document_id>", llm_results.Result.as_view(), name="v0-llm-result"),
    path(f"{_O}/results/<str:document_id>/download", llm_results.ResultsFile.as_view(), name="v0-llm-results-file"),
    path(f"{_O}/bulk-analyze", llm_bulk.BulkAnalysis.as_view(), name="v0-llm-bulk-analyze"),
    path("account/llm/run", llm_calls.AccountChat.as_view(), name="v0-account-llm-chat"),
    path("account/llm/test/embedding", llm_calls.AccountEmbedding.as_view(), name="v0-account-llm-embedding"),
    path("account/llm/models", llm_models.AccountModels.as_view(), name="v0-account-llm-models"),
    path("account/llm/provider/<str:name>", llm_models.OneProvider.as_view(), name="v0-llm-provider"),
    path("account/llm/providers", llm_models.Providers.as_view(), name="v0-llm-providers"),
]
