"""Backup of all data of a running service that cannot be rebuilt, to one file; and restore into an empty store.

`families` lists the data in a backup, `lines` defines the file format (docs/backups.md describes it for other
programs), `chain` checks each game against its hashes, when a backup is written or read.
"""
