"""The commands of ``arena``, a file each; imported only when called."""
