"""Questions over many documents, by a scripted reader that knows no more than it is sent."""
