"""`python -m grader` is `grade`."""

from grader.cli import main

if __name__ == "__main__":
    main()
