"""The `digit-tui` and `digit` commands. Imports no Textual until the app is opened."""
