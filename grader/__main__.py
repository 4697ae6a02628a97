"""Start `grade` and `python -m grader` without importing modules from the current folder.

Only modules that Python itself has already imported are imported at the top. Anything else could
come from the wrong folder.
"""

import os
import sys


def leave_out_current_folder() -> None:
    """Remove the current folder from Python's path, for this process and its children.

    It may contain, for example, a `click.py` to grade. If the grader or Python itself is installed
    there, its folder goes to the end, where it hides nothing installed elsewhere.
    """
    sys.path[:] = [folder for folder in sys.path if not _is_here(folder)]
    for needed in (os.__file__, os.path.dirname(os.path.abspath(__file__))):  # noqa: PTH100, PTH120 - pathlib is not imported yet
        folder = os.path.dirname(needed)  # noqa: PTH120 - as above
        if folder not in sys.path:
            sys.path.append(folder)
    os.environ["PYTHONSAFEPATH"] = "1"


def _is_here(folder: str) -> bool:
    try:
        return os.path.samefile(folder or os.curdir, os.curdir)  # noqa: PTH121 - as above
    except OSError:
        return False


def main() -> None:
    """Run the command line and exit. Ctrl-C prints one word at any moment, even during imports."""
    try:
        leave_out_current_folder()
        from grader.cli.app import main as run

        run()
    except KeyboardInterrupt:
        if sys.stderr is not None:
            os.write(2, b"stopped\n")
        os._exit(130)


if __name__ == "__main__":
    main()
