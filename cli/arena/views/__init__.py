"""How answers look at the terminal: tables, CSV, Markdown."""
