"""Questions about Clash of Rage: what is asked, what is answered, and how that looks, a file for each."""
