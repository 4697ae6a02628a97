"""What the worker takes away from itself before it sees a byte of the submission. Standard library only, loaded by path.

Each limit that cannot be set is reported, never fatal: the judge decides what a report with less says.
"""

import sys

MEMORY = 512 * 1024 * 1024
CPU_SECONDS = 60
OPEN_FILES = 32


def apply():
    """Set the limits; the names of those in force and of those that are missing."""
    try:
        import resource
    except ImportError:  # Windows
        return [[], ["memory", "cpu", "files", "core"]]
    wanted = {
        "memory": (("RLIMIT_AS", MEMORY),),
        "cpu": (("RLIMIT_CPU", CPU_SECONDS),),
        "files": (("RLIMIT_FSIZE", 0), ("RLIMIT_NOFILE", OPEN_FILES)),
        "core": (("RLIMIT_CORE", 0),),
    }
    if sys.platform == "darwin":  # the kernel accepts a limit on address space and does not keep it
        del wanted["memory"]
    in_force, missing = [], ["memory"] if sys.platform == "darwin" else []
    for name, limits in wanted.items():
        try:
            for limit, value in limits:
                _, hard = resource.getrlimit(getattr(resource, limit))
                value = value if hard == resource.RLIM_INFINITY else min(value, hard)
                resource.setrlimit(getattr(resource, limit), (value, value))
            in_force.append(name)
        except (OSError, ValueError):
            missing.append(name)
    return [in_force, missing]
