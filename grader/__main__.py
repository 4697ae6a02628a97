"""Start `grade` and `python -m grader` without importing modules from the current folder.

Only modules that Python itself has already imported are imported at the top. Anything else could
come from the wrong folder.
"""

import os
import sys


def leave_out_current_folder() -> None:
    """Remove the current folder from Python's path, for this process and those that it starts.

    It may contain, for example, a `click.py` to grade. If the grader or Python itself is installed
    there, its folder goes to the end, where it hides nothing that is installed elsewhere.
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


_ZIPPED = """error: the kit cannot run from inside a zip file, because its workers read its files
hint: install it with pip, uv or pipx; shiv and pex --venv also work, because they unpack it"""


def main() -> None:
    """Run the command line and exit. Ctrl-C prints one word at any moment, even during imports."""
    if not os.path.exists(__file__):  # noqa: PTH110 - pathlib is not imported yet
        _refuse(_ZIPPED)
    try:
        leave_out_current_folder()
        try:
            from grader.cli.app import main as run
        except ImportError:
            _blame_other_distribution()
            raise
        run()
    except KeyboardInterrupt:
        if sys.stderr is not None:
            os.write(2, b"stopped\n")
        os._exit(130)


def _blame_other_distribution() -> None:
    """Say so, and exit, if a distribution with the same package has overwritten a part of ours."""
    from grader.curriculum.packages import in_the_way

    if (found := in_the_way()) is not None:
        _refuse("error: {}\nhint: {}".format(*found))


def _refuse(message: str) -> None:
    print(message, file=sys.stderr)
    sys.exit(3)


if __name__ == "__main__":
    main()
