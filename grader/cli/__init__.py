"""TRUSTED. The command line, with a module for each command. Only this package prints and exits."""
