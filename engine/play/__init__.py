"""What plays a log: the rules of a game, the fold, the line, corrections, beliefs, recording."""
