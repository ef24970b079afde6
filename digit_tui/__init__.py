"""The faces: the full-screen app and the command line, both on `digit_core`."""
