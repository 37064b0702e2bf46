"""What is said of a log afterwards: turns, comparisons, versions, luck, the audit and its report."""
