"""The questions of all games in a browser: forms from their parameters, pages from their answers.

Knows no game, and has no question of its own. `app.serving` starts it; the command is ``arena app``.
"""
