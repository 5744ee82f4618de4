"""A file for each command: options in, answer shown."""
