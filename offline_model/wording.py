"""The sentences of the offline model about itself. It never claims to understand."""

WHO = "I am the built-in offline model: I work by rules, not by understanding."
CAN = (
    "On a document with labels and simple tables I can:\n\n"
    "- set up an extraction (“Set up extraction for this document”): schema, prompt, run;\n"
    "- change a value (“Change the due date to 2026-12-31”, “Set the quantity of row 2 to 5”);\n"
    "- say what a field holds (“What is the total?”).\n\n"
    "For anything beyond that, set a provider's key and choose a real model."
)
ABILITIES = f"{WHO} {CAN}"
NOTHING_TO_READ = "I see no text of a document here, so there is nothing that I can work on."
ONE_AT_A_TIME = (
    "I work on one document at a time, and this thread is about no single one. Open a document and ask "
    "me there; for documents named with @ and questions about many, set a provider's key and choose a real model."
)
LOST = f"I cannot do that by rules. {CAN}"
NOT_DONE = (
    "Nothing here sends, reminds or assigns. You can export the values as a file and send that yourself, tag the "
    "document for a colleague, or keep a view of the list, such as all that is due until a day."
)
STOPPED = "I stop here and do not repeat it."
NO_CHANGES = (
    "I change nothing in a proposal but its name (“call it Supplier invoice”): edit its fields on the card before you "
    "approve it, or set a provider's key and choose a real model."
)
PLANNED = "The plan is complete. Nothing has been changed yet: approve it whole, or decide each step."
