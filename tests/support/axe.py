"""Look for barriers in a page with axe-core, which comes from npm's registry once, by its hash."""

from __future__ import annotations

import io
import tarfile
from functools import lru_cache
from typing import Any

import pytest

from grader.authoring.site import downloaded
from grader.errors import InternalError
from support.site import CACHE

PIN = {
    "version": "4.14.1",
    "integrity": "sha512-FHfa+lmNjQZfJz1q8wKqIDwC6DExcHt/pkjNQb09a3NPjCKg2rhu5qb2S4r76A"
    "SyFNNtuFooJpZe37OgudVGtQ==",
}
RUN = """const done = arguments[arguments.length - 1];
axe.run().then(({ violations }) => done(violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`))));"""


@lru_cache(maxsize=1)
def _axe() -> str:
    try:
        data = downloaded("axe-core", PIN, CACHE)
    except InternalError as error:
        pytest.skip(f"axe-core is missing, so barriers are not tested: {error.message}")
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        stream = archive.extractfile("package/axe.min.js")
        assert stream is not None
        return stream.read().decode()


def barriers(driver: Any) -> list[str]:
    """Return what axe-core finds wrong on the page that is shown."""
    driver.execute_script(_axe())
    driver.set_script_timeout(60)
    found: list[str] = driver.execute_async_script(RUN)
    return found
