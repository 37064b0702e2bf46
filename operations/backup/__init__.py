"""Back up a running service: write all data that cannot be rebuilt to one file. Restore it into an empty store.

`families` lists the data in a backup. `lines` defines the file format, which docs/backups.md describes for other
programs. When a backup is written or read, `chain` checks each game against its hashes.
"""
