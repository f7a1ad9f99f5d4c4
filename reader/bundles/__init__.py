"""Files that hold other files: mails with attachments, and archives."""
