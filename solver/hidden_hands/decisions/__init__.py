"""All earlier decisions: ranges and regrets, how a decision is visited, and what waits."""
