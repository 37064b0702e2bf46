"""The logs of games: streams, their codec, snapshots and archive."""
