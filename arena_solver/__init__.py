"""The ground that all other packages stand on: kept kernels, signals while they compile, console commands.

Nothing here knows a game or a solver, and importing this package is free.
"""
