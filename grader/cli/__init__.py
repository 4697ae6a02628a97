"""TRUSTED. What is typed: a module for each command. Nothing else prints or ends with a code."""
