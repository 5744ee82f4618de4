"""How answers about games of other programs look at the terminal: tables, CSV, Markdown."""
