"""Reviews of a log: turns, comparisons, versions, luck, the audit and its report."""
