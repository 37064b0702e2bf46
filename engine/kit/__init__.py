"""What the author of a game needs, and nothing else: the ruleset page, chance, piles, options, scenes."""
