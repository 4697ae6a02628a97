"""Run one long check in a separate worker while the other checks of its suite run."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, wait
from functools import partial

from grader.judge.recorder import Recorder


class BackgroundCheck:
    """A running check. It shares only the submission with the others."""

    def __init__(
        self,
        start: Callable[[Callable[[], None]], Future[None]],
        recorder: Recorder,
        check: Callable[[Recorder], None],
    ) -> None:
        self._recorder = recorder
        self._task = start(partial(check, recorder))

    def finish(self, recorder: Recorder) -> None:
        """Wait for the check to finish and raise its failure, if any.

        `recorder` then holds the check's script for the report.
        """
        try:
            self._task.result()
        finally:
            recorder.scene, recorder.seconds = self._recorder.scene, self._recorder.seconds
            recorder.batches += self._recorder.batches

    def close(self) -> None:
        """End the check's thread and worker, in whatever state they are."""
        if not self._task.cancel():
            wait([self._task])
        self._recorder.session.close()
