"""An app that gives the agent one more tool: how many working days lie between two dates."""
