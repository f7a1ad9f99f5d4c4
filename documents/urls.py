from __future__ import annotations

from django.urls import include, path

from documents.views import budget, files, listing, prices, semantic_search, trash
from documents.views.bulk import urls as bulk_urls
from documents.views.columns import chooser, sums
from documents.views.definitions import prompt_trials, prompts, schemas, tags, value_checks
from documents.views.document_page import detail, facts, fields, splitting, unlocking
from documents.views.find import filter_menu, places, saved_views, search
from documents.views.review import steps
from documents.views.tagging import picker
from documents.views.uploading import upload_batches, upload_tags

_document = [
    path("", detail.document, name="document"),
    path("/viewer", detail.viewer, name="document-viewer"),
    path("/topbar", detail.topbar, name="document-topbar"),
    path("/next", steps.go_next, name="document-next"),
    path("/previous", steps.go_previous, name="document-previous"),
    path("/presence", steps.note_presence, name="document-presence"),
    path("/run", fields.run, name="document-run"),
    path("/extractions/<str:extraction_id>/edit", fields.edit, name="field-edit"),
    path("/extractions/<str:extraction_id>/verify", fields.verify, name="field-verify"),
    path("/extractions/<str:extraction_id>/verify-all", fields.verify_all, name="extraction-verify"),
    path("/extractions/<str:extraction_id>/add-row", fields.add_row, name="row-add"),
    path("/extractions/<str:extraction_id>/remove-row", fields.remove_row, name="row-remove"),
    path("/extractions/<str:extraction_id>/go-on", fields.go_on, name="extraction-go-on"),
    path("/extractions/<str:extraction_id>/history", fields.history, name="field-history"),
    path("/extractions/<str:extraction_id>.<str:form>", files.result, name="extraction-file"),
    path("/edits/<str:edit_id>/undo", fields.undo, name="edit-undo"),
    path("/read", detail.read_again, name="document-read"),
    path("/unlock", unlocking.unlock, name="document-unlock"),
    path("/split", splitting.split, name="document-split"),
    path("/split/undo", splitting.undo, name="document-unsplit"),
    path("/row", listing.document_row, name="document-row"),
    path("/rename", listing.rename, name="document-rename"),
    path("/tags", picker.change, name="document-tags"),
    path("/name", facts.name, name="document-name"),
    path("/metadata", facts.metadata, name="document-metadata"),
    path("/trash", listing.trash, name="document-trash"),
    path("/restore", trash.restore, name="document-restore"),
    path("/delete", trash.delete, name="document-delete"),
    path("/file", files.original, name="document-file"),
    path("/text.<str:extension>", files.read_text, name="document-text"),
    path("/pages/<int:number>.webp", files.page_image, name="page-image"),
    path("/pages/<int:number>/words.json", files.page_words, name="page-words"),
]

_definitions = [
    path("schemas", schemas.schemas, name="schemas"),
    path("schemas/new", schemas.new, name="schema-new"),
    path("schemas/check", schemas.check, name="schema-check"),
    path("schemas/from-template", schemas.make_from_template, name="schema-from-template"),
    path("schemas/<str:schema_id>", schemas.schema, name="schema"),
    path("schemas/<str:schema_id>/edit", schemas.edit, name="schema-edit"),
    path("schemas/<str:schema_id>/checks/edit", value_checks.edit, name="value-check-edit"),
    path("schemas/<str:schema_id>/checks/remove", value_checks.remove, name="value-check-remove"),
    path("schemas/<str:schema_id>/checks/save", value_checks.save, name="value-checks-save"),
    path("schemas/<str:schema_id>/checks/discard", value_checks.discard, name="value-checks-discard"),
    path("schemas/<str:schema_id>/return", schemas.return_to, name="schema-return"),
    path("schemas/<str:schema_id>/checks/add", value_checks.add_proposed, name="value-check-add"),
    path("schemas/<str:schema_id>/trash", schemas.trash, name="schema-trash"),
    path("schemas/<str:schema_id>/restore", schemas.restore, name="schema-restore"),
    path("prompts", prompts.prompts, name="prompts"),
    path("prompts/new", prompts.new, name="prompt-new"),
    path("prompts/documents", prompt_trials.to_try, name="prompt-documents"),
    path("prompts/<str:prompt_id>", prompts.prompt, name="prompt"),
    path("prompts/<str:prompt_id>/edit", prompts.edit, name="prompt-edit"),
    path("prompts/<str:prompt_id>/follow", prompts.follow, name="prompt-follow"),
    path("prompts/<str:prompt_id>/tried/<str:extraction_id>", prompt_trials.show_trial, name="prompt-tried"),
    path("prompts/<str:prompt_id>/return", prompts.return_to, name="prompt-return"),
    path("prompts/<str:prompt_id>/try", prompt_trials.try_out, name="prompt-try"),
    path("prompts/<str:prompt_id>/trash", prompts.trash, name="prompt-trash"),
    path("prompts/<str:prompt_id>/restore", prompts.restore, name="prompt-restore"),
    path("tags", tags.tags, name="tags"),
    path("tags/new", tags.new, name="tag-new"),
    path("tags/<str:tag_id>", tags.tag, name="tag"),
    path("tags/<str:tag_id>/delete", tags.delete, name="tag-delete"),
]

urlpatterns = [
    path("orgs/<str:org_id>/", include(_definitions)),
    path("orgs/<str:org_id>/settings/budget", budget.show, name="budget"),
    path("orgs/<str:org_id>/settings/budget/change", budget.change, name="budget-change"),
    path("orgs/<str:org_id>/settings/search", semantic_search.show, name="search-settings"),
    path("orgs/<str:org_id>/settings/search/change", semantic_search.choose, name="search-settings-change"),
    path("orgs/<str:org_id>/settings/prices", prices.store, name="price-set"),
    path("orgs/<str:org_id>/settings/prices/<str:price_id>/remove", prices.remove, name="price-remove"),
    path("orgs/<str:org_id>/places/<str:block_id>", places.show_place, name="place"),
    path("orgs/<str:org_id>/search", search.search, name="search"),
    path("orgs/<str:org_id>/documents", listing.documents, name="documents"),
    path("orgs/<str:org_id>/documents/count", filter_menu.document_count, name="document-count"),
    path("orgs/<str:org_id>/documents/columns", chooser.columns, name="columns"),
    path("orgs/<str:org_id>/documents/columns/width", chooser.widen, name="column-width"),
    path("orgs/<str:org_id>/documents/sums", sums.sums, name="column-sums"),
    path("orgs/<str:org_id>/documents/filters", filter_menu.filter_menu, name="document-filters"),
    path("orgs/<str:org_id>/documents/views", saved_views.menu, name="views"),
    path("orgs/<str:org_id>/documents/views/counts", saved_views.counts, name="view-counts"),
    path("orgs/<str:org_id>/documents/views/save", saved_views.save, name="view-save"),
    path("orgs/<str:org_id>/documents/views/<str:view_id>/change", saved_views.change, name="view-change"),
    path("orgs/<str:org_id>/documents/views/<str:view_id>/delete", saved_views.delete, name="view-delete"),
    path("orgs/<str:org_id>/documents/upload", listing.upload, name="document-upload"),
    path("orgs/<str:org_id>/documents/samples", listing.samples, name="document-samples"),
    path("orgs/<str:org_id>/documents/tag-options", picker.options, name="tag-options"),
    path("orgs/<str:org_id>/documents/upload-tags", upload_tags.choose, name="upload-tags"),
    path("orgs/<str:org_id>/documents/drop", upload_batches.progress, name="drop"),
    path("orgs/<str:org_id>/documents/drop/set-up", upload_batches.set_up, name="drop-set-up"),
    path("orgs/<str:org_id>/documents/drop/run-alike", upload_batches.run_alike, name="drop-run-alike"),
    *bulk_urls.urlpatterns,
    path("orgs/<str:org_id>/documents/trash", trash.trash, name="trash"),
    path("orgs/<str:org_id>/documents/trash/empty", trash.empty, name="trash-empty"),
    path("orgs/<str:org_id>/documents/<str:document_id>", include(_document)),
]
