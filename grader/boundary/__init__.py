"""TRUSTED. The boundary between judge and worker: start processes, isolate them, exchange messages
with a deadline, and end them.
"""
