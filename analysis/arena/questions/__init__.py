"""The questions of ``arena`` itself."""
