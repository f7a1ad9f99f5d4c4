from __future__ import annotations

from django.urls import path

from documents.api import check_trials, document_tags, documents, results, saved_views, search, uploads
from documents.api.bulk import urls as bulk_urls
from documents.api.definitions import document_types, prompts, schema_templates, schemas, tags
from documents.api.llm import urls as llm_urls
from documents.api.parts import splitting
from documents.api.readings import block_places, exports, ocr, page_pictures, reading

_O = "orgs/<str:organization_id>"
urlpatterns = [
    *llm_urls.urlpatterns,
    *bulk_urls.urlpatterns,
    path(f"{_O}/documents", documents.Documents.as_view(), name="v0-documents"),
    path(f"{_O}/documents/multipart", uploads.MultipartUpload.as_view(), name="v0-document-multipart"),
    path(f"{_O}/documents/<str:document_id>", documents.OneDocumentView.as_view(), name="v0-document"),
    path(f"{_O}/documents/<str:document_id>/file", documents.DocumentFile.as_view(), name="v0-document-file"),
    path(
        f"{_O}/documents/<str:document_id>/pages/<str:number>/picture",
        page_pictures.PagePicture.as_view(),
        name="v0-page-picture",
    ),
    path(f"{_O}/blocks/<str:block_id>", block_places.OneBlock.as_view(), name="v0-block"),
    path(f"{_O}/blocks/<str:block_id>/picture", block_places.OneBlockPicture.as_view(), name="v0-block-picture"),
    path(f"{_O}/documents/<str:document_id>/unlock", ocr.UnlockDocument.as_view(), name="v0-document-unlock"),
    path(f"{_O}/documents/<str:document_id>/split", splitting.SplitView.as_view(), name="v0-document-split"),
    path(f"{_O}/documents/<str:document_id>/tags", document_tags.DocumentTags.as_view(), name="v0-document-tags"),
    path(f"{_O}/ocr/run/<str:document_id>", ocr.RunOcr.as_view(), name="v0-ocr-run"),
    path(f"{_O}/ocr/bulk-analyze", ocr.AnalyzeOcr.as_view(), name="v0-ocr-bulk-analyze"),
    path(f"{_O}/ocr/download/json/<str:document_id>", reading.ReadJson.as_view(), name="v0-ocr-json"),
    path(f"{_O}/ocr/download/blocks/<str:document_id>", reading.ReadBlocks.as_view(), name="v0-ocr-blocks"),
    path(f"{_O}/ocr/download/metadata/<str:document_id>", reading.ReadMetadata.as_view(), name="v0-ocr-metadata"),
    path(f"{_O}/ocr/export/markdown/<str:document_id>", exports.MarkdownExport.as_view(), name="v0-ocr-markdown"),
    path(f"{_O}/ocr/export/html/<str:document_id>", exports.HtmlExport.as_view(), name="v0-ocr-html"),
    path(f"{_O}/ocr/export/tables.xlsx/<str:document_id>", exports.TablesExport.as_view(), name="v0-ocr-tables"),
    path(f"{_O}/ocr/download/text/<str:document_id>", reading.ReadText.as_view(), name="v0-ocr-text"),
    path(f"{_O}/prompts", prompts.Prompts.as_view(), name="v0-prompts"),
    path(f"{_O}/prompts/<str:prompt_id>", prompts.OnePrompt.as_view(), name="v0-prompt"),
    path(f"{_O}/prompts/<str:prompt_id>/versions", prompts.PromptVersions.as_view(), name="v0-prompt-versions"),
    path(f"{_O}/schema_templates", schema_templates.SchemaTemplates.as_view(), name="v0-schema-templates"),
    path(
        f"{_O}/schema_templates/<str:template>",
        schema_templates.OneSchemaTemplate.as_view(),
        name="v0-schema-template",
    ),
    path(f"{_O}/schemas", schemas.Schemas.as_view(), name="v0-schemas"),
    path(f"{_O}/schemas/<str:schema_id>", schemas.OneSchema.as_view(), name="v0-schema"),
    path(f"{_O}/schemas/<str:schema_id>/versions", schemas.SchemaVersions.as_view(), name="v0-schema-versions"),
    path(
        f"{_O}/schemas/<str:schema_id>/value_checks/try",
        check_trials.ValueCheckTrial.as_view(),
        name="v0-value-checks-try",
    ),
    path(f"{_O}/schemas/<str:schema_id>/validate", schemas.SchemaValidation.as_view(), name="v0-schema-validate"),
    path(f"{_O}/results", results.Results.as_view(), name="v0-results"),
    path(f"{_O}/search", search.Search.as_view(), name="v0-search"),
    path(f"{_O}/views", saved_views.SavedViews.as_view(), name="v0-views"),
    path(f"{_O}/views/<str:view_id>", saved_views.OneSavedView.as_view(), name="v0-view"),
    path(f"{_O}/document_types", document_types.DocumentTypes.as_view(), name="v0-document-types"),
    path(f"{_O}/document_types/<str:type_id>", document_types.OneDocumentType.as_view(), name="v0-document-type"),
    path(f"{_O}/tags", tags.Tags.as_view(), name="v0-tags"),
    path(f"{_O}/tags/<str:tag_id>", tags.OneTag.as_view(), name="v0-tag"),
]
