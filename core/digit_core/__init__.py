"""The shared core of Digit TUI: reads and writes an agent's memory, knows no screen.

Rooms, from the ground up: `errors`, `text` (what is shown and how wide), `formats` (what bytes mean),
`disk` (safe files), `memory` (homes, the store, history), `views` (snapshots and what is seen in them),
`library` (opens a home; what every face imports). Imports go down this list, never up.

Values are `NamedTuple`s rather than dataclasses: importing `dataclasses` and making thirty of them costs the
command line as much as starting Python twice.
"""
