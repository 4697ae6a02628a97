"""TRUSTED. Suites, expected values, verdicts. Learner's code never runs in this process."""
