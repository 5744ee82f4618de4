"""Games too large for a tree: learning and search by sampled play, and how their players are measured.

Games come as compiled functions (`game`). Learned values with `value_training`, search with
`information_set_search` and `guided_search`; `head_to_head` and `responses` say how good a player is.
"""
