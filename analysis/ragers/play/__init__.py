"""A day step by step: advice, opponents, and what decisions cost."""
