"""The course: one folder a stage, and the names that its suites share."""
