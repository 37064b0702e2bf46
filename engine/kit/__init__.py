"""Everything that the author of a game needs: the ruleset class, chance, piles, options, scenes."""
