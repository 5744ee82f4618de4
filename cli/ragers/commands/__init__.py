"""The commands of ``ragers``, a file each; imported only when called."""
