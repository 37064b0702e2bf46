"""The read model of the library: the list of games, players, plays and aliases."""
