"""Recording and replay of logs: the rules of a game, the fold, the line, corrections, beliefs."""
