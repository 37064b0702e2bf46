"""Backups: all that cannot be made again, of a running service, in one file; and the way back into an empty store.

`families` says what belongs into a backup, `lines` how the file is written (docs/backups.md is for readers of other
programs), `chain` holds each game against its hashes, on writing and on reading.
"""
