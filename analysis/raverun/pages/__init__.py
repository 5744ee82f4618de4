"""How answers about Raverun look."""
