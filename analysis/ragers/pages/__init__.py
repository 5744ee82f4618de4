"""How answers about Ragers look."""
