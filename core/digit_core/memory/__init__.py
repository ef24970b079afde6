"""Homes and their rules, changes, the store that applies them, history and undo."""
