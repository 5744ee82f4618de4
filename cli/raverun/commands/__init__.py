"""The commands of ``raverun``, a file each; imported only when called."""
