"""The one way to addresses that a person, a model or another server gives: judged first, then asked within bounds."""
