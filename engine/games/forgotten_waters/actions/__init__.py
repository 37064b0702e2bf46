"""The actions: players' decisions and reports, in modules by the rulebook's headings."""
