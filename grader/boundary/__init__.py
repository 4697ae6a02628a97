"""TRUSTED. Between judge and worker: start processes, wall them off, ask them with a deadline, and
end them.
"""
