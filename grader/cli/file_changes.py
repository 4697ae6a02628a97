"""Which of the learner's files have changed, however their editor saves: in place, by renaming, or
by deleting first.
"""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer
from watchdog.observers.polling import PollingObserver

if TYPE_CHECKING:
    from typing_extensions import Self


class Changes(FileSystemEventHandler):
    """While it is entered, `seen()` says whether anything has happened to one of the files since it
    was asked last.
    """

    def __init__(self, folder: Path, names: Collection[str]) -> None:
        self._folder = folder
        self._names = frozenset(names)
        self._seen = False
        self._observer = Observer()

    def __enter__(self) -> Self:
        try:
            self._begin()
        except OSError:  # no more watches left, or a drive that tells nothing: look again and again
            self._observer = PollingObserver(timeout=0.3)
            self._begin()
        return self

    def _begin(self) -> None:
        self._observer.schedule(self, str(self._folder), recursive=False)
        self._observer.start()

    def __exit__(self, *_: object) -> None:
        self._observer.stop()
        self._observer.join(timeout=2)

    def on_any_event(self, event: FileSystemEvent) -> None:
        """Called by the observer, in its thread."""
        if event.event_type in {"opened", "closed_no_write"}:
            return
        for path in (event.src_path, event.dest_path):
            if os.path.basename(os.fsdecode(path)) in self._names:  # noqa: PTH119 - bytes or text
                self._seen = True

    def seen(self) -> bool:
        """Whether there was something since the last time."""
        seen, self._seen = self._seen, False
        return seen
