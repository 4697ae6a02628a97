"""Notice changed files, however an editor saves: in place, by renaming, or by deleting first."""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer
from watchdog.observers.polling import PollingObserver

if TYPE_CHECKING:
    from typing_extensions import Self


class Changes(FileSystemEventHandler):
    """A context in which `seen()` returns whether any of the files changed since the last call."""

    def __init__(self, folder: Path, names: Collection[str]) -> None:
        self._folder = folder
        self._names = frozenset(names)
        self._seen = False
        self._is_whole = Event()
        self._observer = Observer()

    def __enter__(self) -> Self:
        try:
            self._begin()
        except OSError:  # no more watches, or a drive that reports nothing: poll instead
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
        """Note a change. The observer calls this in its own thread."""
        if event.event_type in {"opened", "closed_no_write"}:
            return
        for path in (event.src_path, event.dest_path):
            if os.path.basename(os.fsdecode(path)) in self._names:  # noqa: PTH119 - bytes or text
                self._seen = True
                if event.event_type in {"closed", "moved"}:
                    self._is_whole.set()

    def settle(self, seconds: float) -> None:
        """Wait until a file is closed or renamed, or for so long if the system does not say."""
        self._is_whole.wait(seconds)
        self._is_whole.clear()
        self._seen = False

    def seen(self) -> bool:
        """Return whether anything changed since the last call."""
        seen, self._seen = self._seen, False
        return seen
