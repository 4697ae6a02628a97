"""One browser with the course's real kit, for all tests that look at its answers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.browser import browser
from support.site import Site, build, served


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the course as a site."""
    return build(tmp_path_factory.mktemp("site"))


@pytest.fixture(scope="session")
def site(folder: Path) -> Iterator[Site]:
    """Yield the kit, started in a browser. The learner's files are those of the test before."""
    with browser() as driver, served(folder) as address:
        found = Site(driver, address)
        assert found.begin()
        yield found
