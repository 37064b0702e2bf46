"""The Lua scripts, a module for each thing they are about.

Each runs as one step on the keys of one hash tag, so on a cluster as well (Redis 6.2, Valkey).
"""
