"""Days whose histories share nodes: the graph, iterations on it, and the certificate along every history."""
