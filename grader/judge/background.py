"""One long check beside the others: in a worker of its own, begun when its suite begins, asked for
when its turn comes.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from grader.judge.recorder import Recorder


class BackgroundCheck:
    """A check under way. It shares nothing with the others but the submission."""

    def __init__(self, recorder: Recorder, check: Callable[[Recorder], None]) -> None:
        self._recorder = recorder
        self._thread = ThreadPoolExecutor(1)
        self._future = self._thread.submit(check, recorder)

    def finish(self, recorder: Recorder) -> None:
        """Wait for the end; a failure is raised here, and `recorder` has the script to tell it by."""  # noqa: E501
        try:
            self._future.result()
        finally:
            recorder.scene, recorder.seconds = self._recorder.scene, self._recorder.seconds

    def close(self) -> None:
        """Whatever became of it, leave no worker and no thread."""
        self._future.cancel()
        self._thread.shutdown()
        self._recorder.session.close()
