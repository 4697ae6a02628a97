"""Between judge and worker: processes are started, walled off, asked with a deadline, and ended
here.
"""
