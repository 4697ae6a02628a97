"""Find an adapter for an engine from elsewhere, by trial in a worker."""
