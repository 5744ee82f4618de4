"""Names, findings and grades of trust in words: one wording for all questions."""
