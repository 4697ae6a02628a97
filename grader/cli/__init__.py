"""The subcommands of `grade`, one module each. They print and return an exit code; nothing else
here does.
"""
