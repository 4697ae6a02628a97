"""What the course asks beside its suites, and the checklist."""
