"""How answers about battles look."""
