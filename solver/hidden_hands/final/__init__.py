"""The step that surely ends play: what is kept of it, how it is played, learnt and answered."""
