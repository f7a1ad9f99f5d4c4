from __future__ import annotations

from django.urls import path

from documents.api import documents, llm_urls, reading, tags, uploads

_O = "orgs/<str:organization_id>"
urlpatterns = [
    *llm_urls.urlpatterns,
    path(f"{_O}/documents", documents.Documents.as_view(), name="v0-documents"),
    path(f"{_O}/documents/multipart", uploads.MultipartUpload.as_view(), name="v0-document-multipart"),
    path(f"{_O}/documents/<str:document_id>", documents.OneDocumentView.as_view(), name="v0-document"),
    path(f"{_O}/documents/<str:document_id>/file", documents.DocumentFile.as_view(), name="v0-document-file"),
    path(f"{_O}/ocr/download/text/<str:document_id>", reading.ReadText.as_view(), name="v0-ocr-text"),
    path(f"{_O}/tags", tags.Tags.as_view(), name="v0-tags"),
    path(f"{_O}/tags/<str:tag_id>", tags.OneTag.as_view(), name="v0-tag"),
]
