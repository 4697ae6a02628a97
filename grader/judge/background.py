"""One long check beside the others: in its own worker, begun when its suite begins, and collected
when its turn comes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from grader.boundary.transport import Host
from grader.judge.recorder import Recorder


class BackgroundCheck:
    """A check under way. It shares nothing with the others but the submission."""

    def __init__(self, host: Host, recorder: Recorder, check: Callable[[Recorder], None]) -> None:
        self._recorder = recorder
        self._task = host.background(partial(check, recorder))

    def finish(self, recorder: Recorder) -> None:
        """Wait for the end. A failure is raised here, and `recorder` gets the script that shows
        it.
        """
        try:
            self._task.result()
        finally:
            recorder.scene, recorder.seconds = self._recorder.scene, self._recorder.seconds

    def close(self) -> None:
        """Leave no worker and no thread, whatever became of the check."""
        self._task.close()
        self._recorder.session.close()
