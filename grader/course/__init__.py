"""DATA. The built-in course: a folder for each stage, and the names that its suites share."""
