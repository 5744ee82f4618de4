"""Answers to scenarios: looked up or solved, kept, checked and shown."""
