"""The actions: what players may decide and report, by the rulebook's headings."""
