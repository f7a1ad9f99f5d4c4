from __future__ import annotations

from django.urls import include, path

from documents.views import detail, files, listing

_document = [
    path("", detail.document, name="document"),
    path("/viewer", detail.viewer, name="document-viewer"),
    path("/read", detail.read_again, name="document-read"),
    path("/row", listing.document_row, name="document-row"),
    path("/rename", listing.rename, name="document-rename"),
    path("/trash", listing.trash, name="document-trash"),
    path("/restore", listing.restore, name="document-restore"),
    path("/file", files.original, name="document-file"),
    path("/pages/<int:number>.webp", files.page_image, name="page-image"),
    path("/pages/<int:number>/words.json", files.page_words, name="page-words"),
]

urlpatterns = [
    path("orgs/<str:org_id>/documents", listing.documents, name="documents"),
    path("orgs/<str:org_id>/documents/upload", listing.upload, name="document-upload"),
    path("orgs/<str:org_id>/documents/samples", listing.samples, name="document-samples"),
    path("orgs/<str:org_id>/documents/<str:document_id>", include(_document)),
]
