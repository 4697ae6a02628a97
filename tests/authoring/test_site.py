"""The site's parts: nothing is used that was not pinned, and the learner's side has no answers."""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import json
import re
import tarfile
from pathlib import Path

import pytest

from grader.authoring.export import GRADER
from grader.authoring.site import WEB, landing_files, site
from grader.curriculum.tables import read_table
from grader.errors import InternalError
from grader.learner.tracing.page import to_page
from support import touch
from support.grading import COURSE
from support.site import CACHE
from support.tracing import RIGHT, traced


def names_in(packed: bytes) -> set[str]:
    with tarfile.open(fileobj=io.BytesIO(gzip.decompress(packed))) as archive:
        return {*archive.getnames()}


@pytest.mark.parametrize(
    ("version", "message"),
    [("", "is not the pinned one"), ("0", r"pyodide.* cannot be downloaded")],
)
def test_a_package_that_is_missing_or_not_the_pinned_one_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str, message: str
) -> None:
    pinned = read_table(WEB / "pins.toml").entries["pyodide"]["version"]
    there = tmp_path / "pyodide" / "-" / f"pyodide-{version or pinned}.tgz"
    touch(there, text="something else")
    monkeypatch.setenv("npm_config_registry", tmp_path.as_uri())
    with pytest.raises(InternalError, match=message):
        site(COURSE, tmp_path / "cache")
    assert not (tmp_path / "cache" / there.name).exists()


def test_the_picture_of_a_link_has_the_whole_address() -> None:
    card = re.compile(rb'property="og:image" content="(.*?)"')
    assert card.findall(landing_files()["index.html"]) == [b"card.png"]
    found = card.findall(landing_files("https://example.org/a/")["index.html"])
    assert found == [b"https://example.org/a/card.png"]
    assert b"&quot;&gt;" in landing_files('">')["index.html"]


@pytest.mark.slow
def test_the_site_is_the_same_every_time_and_gives_the_learners_worker_nothing_but_itself() -> None:
    try:
        files = site(COURSE, CACHE)
    except InternalError as error:
        pytest.skip(error.message)
    assert files == site(COURSE, CACHE)
    assert {"index.html", "landing.js", "course/index.html", "course/page.js"} <= files.keys()
    worker = {f"learner/worker/{file.name}" for file in (GRADER / "worker").glob("*.py")}
    assert names_in(files["course/learner.tar.gz"]) == worker
    judge = names_in(files["course/judge.tar.gz"])
    assert {"kit/grader/web/host.py", "kit/grader/course/exercises/engine.py"} <= judge
    assert not any(name.endswith(("linux-gnu.so", ".pyc")) for name in judge)
    trace = to_page(traced(RIGHT, "a + b", a=1, b=2))
    scripts = re.findall(r"<script>(.*?)</script>", trace, re.DOTALL)
    hashes = [base64.b64encode(hashlib.sha256(script.encode()).digest()) for script in scripts]
    policy = files["course/index.html"].partition(b"style-src")[0]
    assert re.findall(rb"'sha256-(.*?)'", policy) == hashes
    about = json.loads(files["course/build.json"])
    assert about["lock"]["packages"] == {}
    assert about["build"].encode() in files["course/sw.js"].splitlines()[0]
