"""The carried solution library: finished, certified solves. Data only; written by ``ragers library build``."""
