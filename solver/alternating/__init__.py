"""Two players in turn, perfect information, no chance, no position twice: values proved by search."""
