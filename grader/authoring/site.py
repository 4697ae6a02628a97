"""Build the site: Pyodide and the wheels by their pinned hashes, the kit with the course, the page.

It needs neither a compiler nor node, and the result needs nothing but a server for static files.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import html
import io
import json
import os
import re
import subprocess
import sys
import tarfile
import urllib.request
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from markdown_it import MarkdownIt
from markupsafe import Markup

from grader.authoring.export import GRADER, kit_files, read_tree
from grader.authoring.page_data import page_data
from grader.curriculum.model import Course
from grader.curriculum.tables import read_table
from grader.errors import InternalError
from grader.learner.files import write_files
from grader.views.html import page

WEB = GRADER / "web"
LANDING, WHEELS = WEB / "landing", WEB / "wheels.txt"
COLOURS = ":root {{ {} }}\n@media (prefers-color-scheme: dark) {{ :root {{ {} }} }}\n"
GUIDES = (WEB / "learner.md", GRADER.parent / "docs" / "learner.md")  # installed, and here
VARIABLE = "npm_config_registry"
SERVICE = "sw.js"
LOCK, WASM = "pyodide-lock.json", "pyodide.asm.wasm"
UNUSED = re.compile(  # never imported by the judge
    r"""pygments/lexers/(?!(?:__init__|_mapping|python|special|diff|console)\.py$)
    |pygments/(?:styles|formatters)/(?!(?:__init__|_mapping|default|terminal)\.py$)
    |hypothesis/extra/(?!__init__|_patching)|packaging/licenses/|markdown_it/|mdurl/
    |(?:[^/]*/)*tests/|.*(?:\.(?:pyi|pyc|c)|linux-gnu\.so|/RECORD)$|bin/
    |grader/(?:authoring|classroom|web/(?:static|landing|check|bundle))/
    |grader/worker/(?!__init__|bounds|protocol|wire)""",
    re.VERBOSE,
)


def site(course: Course, cache: Path, address: str = "") -> dict[str, bytes]:
    """Return the files of the site at this address: the landing page with the course in a folder,
    or only the user's own course. Raise InternalError.
    """
    files = _course_site(course, cache)
    if not course.is_default:
        return files
    return {**landing_files(address), **{f"course/{name}": data for name, data in files.items()}}


def landing_files(address: str = "") -> dict[str, bytes]:
    """Return the files of the landing page. Its preview picture needs an address."""
    files = {**dict(read_tree(LANDING)), "icon.svg": (WEB / "static" / "icon.svg").read_bytes()}
    if address:
        card = html.escape(f"{address.rstrip('/')}/card.png").encode()
        files["index.html"] = files["index.html"].replace(b'"card.png"', b'"%b"' % card)
    files["colours.css"] = COLOURS.format(page("light.css"), page("dark.css")).encode()
    return files


def _course_site(course: Course, cache: Path) -> dict[str, bytes]:
    """Return the files of the course. Downloads are kept in `cache`."""
    pins = read_table(WEB / "pins.toml").entries
    files = page_files(course)
    if course.is_default:
        files.update(read_tree(WEB / "check"))
    files.update({f"pyodide/{name}": content for name, content in _pyodide(pins["pyodide"], cache)})
    files["judge.tar.gz"] = _packed("kit", {**_packages(pins, cache), **_kit(course)})
    files["learner.tar.gz"] = _packed("learner/worker", dict(read_tree(GRADER / "worker")))
    lock = json.loads(files.pop(f"pyodide/{LOCK}"))
    files[f"pyodide/{WASM}.gz"] = gzip.compress(files.pop(f"pyodide/{WASM}"), mtime=0)
    digests = sorted((name, hashlib.sha256(data).hexdigest()) for name, data in files.items())
    build = hashlib.sha256(json.dumps(digests).encode()).hexdigest()[:16]
    about = {
        "build": build,
        "lock": {**lock, "packages": {}},  # any other package would come from elsewhere
        "environment": {} if course.is_default else {"GRADE_COURSE": "/kit/course"},
        "files": {name: len(content) for name, content in sorted(files.items())},
    }
    files["build.json"] = json.dumps(about, indent=1).encode()
    names = ["", *sorted({*files} - {SERVICE})]
    files[SERVICE] = (
        f"const BUILD = {build!r}, FILES = {json.dumps(names)};\n".encode() + files[SERVICE]
    )
    return files


def page_files(course: Course) -> dict[str, bytes]:
    """Return the files of the page. It holds the stubs and lessons, which appear before Python has
    loaded, and its policy allows the inline code of a trace.
    """
    files = dict(read_tree(WEB / "static"))
    style = "\n" + "".join(page(f"{name}.css") for name in ("style", "trace_picture", "trace"))
    data = json.dumps(page_data(course), ensure_ascii=False).replace("<", "\\u003c")
    index = files["index.html"]
    for name, text in ("{trace.js}", page("trace.js")), ("{trace.css}", style):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest())
        index = index.replace(name.encode(), b"sha256-" + digest)
    index = index.replace(b"{title}", html.escape(course.title).encode())
    files["index.html"] = index.replace(b"{course}", data.encode())
    files["guide.html"] = _guide(course.title).encode()
    return files


def _guide(title: str) -> str:
    """Return the learner's guide as a page. Links to other pages of the docs become text."""
    text = next(file for file in GUIDES if file.is_file()).read_text(encoding="utf-8")
    text = re.sub(r"\[([^]]*)\]\((?!https:)[^)]*\)", r"\1", text)
    body = MarkdownIt("commonmark").enable("table").render(text)
    body = body.replace("<pre>", '<pre tabindex="0">')
    return page("guide.html", course=title, text=Markup(body))  # noqa: S704 - our own text


def _kit(course: Course) -> dict[str, bytes]:
    """Return the kit with its course, as after an installation."""
    found = kit_files(course, "grader", "grader/course" if course.is_default else "course")
    return {
        name: content
        for name, content in found.items()
        if not UNUSED.match(name) and (course.is_default or not name.startswith("grader/course/"))
    }


def _packages(pins: Mapping[str, Any], cache: Path) -> dict[str, bytes]:
    """Return the files of all wheels, downloaded by pip unless they are in the cache."""
    found: dict[str, bytes] = {}
    folder = cache / f"wheels-{hashlib.sha256(WHEELS.read_bytes()).hexdigest()[:16]}"
    if not folder.is_dir():
        _pip_download(pins, folder)
    for wheel in folder.glob("*.whl"):
        with zipfile.ZipFile(wheel) as archive:
            found.update(
                (name, archive.read(name))
                for name in archive.namelist()
                if not UNUSED.match(name) and not name.endswith("/")
            )
    return found


def _pip_download(pins: Mapping[str, Any], folder: Path) -> None:
    part = folder.with_suffix(".part")
    words = [
        "--quiet --no-deps --require-hashes --only-binary=:all: --implementation=cp --abi=none",
        f"--abi={pins['abi']} --python-version={pins['python']}",
        *(f"--platform={name}" for name in pins["platforms"]),
    ]
    options = [*" ".join(words).split(), f"--dest={part}", f"--requirement={WHEELS}"]
    done = subprocess.run(  # noqa: S603 - this interpreter's pip
        [sys.executable, "-m", "pip", "download", *options],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise InternalError(
            f"pip could not download the packages: {done.stderr.strip()[-300:]}",
            "check the network; `python -m pip --version` must work in this environment",
        )
    part.rename(folder)


def _pyodide(pin: Mapping[str, Any], cache: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the files used from the pinned package."""
    with tarfile.open(fileobj=io.BytesIO(downloaded("pyodide", pin, cache))) as archive:
        for member in archive:
            inside = PurePosixPath(member.name).name
            if inside in pin["files"] and (stream := archive.extractfile(member)) is not None:
                yield inside, stream.read()


def downloaded(package: str, pin: Mapping[str, Any], cache: Path) -> bytes:
    """Return a package of npm's registry, from the cache if it is there. Raise InternalError."""
    name = f"{package}-{pin['version']}.tgz"
    kept = cache / name
    data = kept.read_bytes() if kept.is_file() else b""
    if _integrity(data) != pin["integrity"]:
        registry = os.environ.get(VARIABLE, "https://registry.npmjs.org/")
        data = _fetch(f"{registry.rstrip('/')}/{package}/-/{name}")
        if _integrity(data) != pin["integrity"]:
            raise InternalError(
                f"{name} from {registry} is not the pinned one", f"check {VARIABLE}"
            )
        write_files({kept: data})
    return data


def _packed(folder: str, files: Mapping[str, bytes]) -> bytes:
    """Return a tar.gz whose bytes depend only on the files."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, content in sorted(files.items()):
            entry = tarfile.TarInfo(f"{folder}/{name}")
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return gzip.compress(stream.getvalue(), mtime=0)


def _integrity(data: bytes) -> str:
    return "sha512-" + base64.b64encode(hashlib.sha512(data).digest()).decode()


def _fetch(address: str) -> bytes:
    try:
        with urllib.request.urlopen(address, timeout=120) as response:  # noqa: S310 - https, and a pinned hash
            return bytes(response.read())
    except (OSError, ValueError) as error:
        raise InternalError(
            f"{address} cannot be downloaded: {error}", "check the network and try again"
        ) from error
