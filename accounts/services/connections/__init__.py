"""Programs that people connect by OAuth: their registrations, consents, keys and ends."""
