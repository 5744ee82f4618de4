"""The carried solution library: finished, certified solves. Written by ``ragers library build``."""
