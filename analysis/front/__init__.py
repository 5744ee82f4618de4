"""What can be asked about any game, declared once: parameters, questions, answers, pages, contests, sessions.

Knows no game, no terminal and no compiler. A game supplies an `analysis.front.game.Game`; commands, Python
functions, JSON schemas, the reference and pages come from that.
"""
