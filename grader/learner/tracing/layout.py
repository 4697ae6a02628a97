"""Place a graph's nodes with Graphviz, compiled to WebAssembly and kept next to this file.

Graphviz receives only sizes and numbers, so no text from a learner's code reaches it. It has no
access to files, the clock or the network.
"""

from __future__ import annotations

import atexit
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from grader.curriculum.packages import install_command
from grader.errors import GraderError

WASM = Path(__file__).parent / "graphviz" / "graphviz.wasm"
MAX_NODES = 1_000
MAX_EDGES = 3_000
SECONDS = 30.0
INCH = 72.0
CHUNK = 4096

Point = tuple[float, float]


class NoLayout(GraderError):
    """The picture cannot be laid out here."""


@dataclass(frozen=True)
class Layout:
    """The size of the picture, the centres of its nodes, and the curves of its edges, in order.

    A curve is a list of points: the start, then three for each Bezier piece. y grows downwards.
    """

    width: float
    height: float
    nodes: tuple[Point, ...]
    edges: tuple[tuple[Point, ...], ...]


def lay_out(sizes: Sequence[Point], edges: Sequence[tuple[int, int]]) -> Layout:
    """Place boxes of these sizes so that edges go from left to right and arrive at a box in order.

    Raise NoLayout if the graph is too large or WebAssembly does not run.
    """
    if len(sizes) > MAX_NODES or len(edges) > MAX_EDGES:
        raise NoLayout(
            f"a graph of {len(sizes)} nodes and {len(edges)} edges is too large for a picture",
            f"at most {MAX_NODES} and {MAX_EDGES}; --text shows it",
        )
    boxes = (
        f"n{index} [width={width / INCH:.4f} height={height / INCH:.4f}]"
        for index, (width, height) in enumerate(sizes)
    )
    arrows = (f"n{tail} -> n{head} [id={index}]" for index, (tail, head) in enumerate(edges))
    source = (
        "digraph { rankdir=LR ordering=in nodesep=0.22 ranksep=0.42 nslimit=4 node [shape=box"
        ' fixedsize=true label=""] edge [arrowhead=none]\n'
    )
    return _read(_dot(source + "\n".join([*boxes, *arrows]) + "\n}"), len(sizes), edges)


def _read(plain: str, count: int, edges: Sequence[tuple[int, int]]) -> Layout:
    """Return a layout from Graphviz's `plain` format: lines of words, in inches."""
    lines = [line.split() for line in plain.splitlines()]
    width, height = (float(word) * INCH for word in lines[0][2:4])
    nodes: list[Point] = [(0.0, 0.0)] * count
    curves: dict[tuple[int, int], list[tuple[Point, ...]]] = {}
    for words in lines[1:]:
        if words[0] == "node":
            nodes[int(words[1][1:])] = (float(words[2]) * INCH, float(words[3]) * INCH)
        elif words[0] == "edge":
            numbers = [float(word) * INCH for word in words[4 : 4 + 2 * int(words[3])]]
            ends = (int(words[1][1:]), int(words[2][1:]))
            curves.setdefault(ends, []).append(tuple(zip(numbers[::2], numbers[1::2])))
    return Layout(width, height, tuple(nodes), tuple(curves[edge].pop(0) for edge in edges))


def _dot(source: str) -> str:
    try:
        return (_InBrowser() if sys.platform == "emscripten" else _Graphviz()).lay_out(
            source, SECONDS
        )
    except ImportError as error:
        raise NoLayout(
            "the picture needs wasmtime, which is not installed",
            f"{install_command(['wasmtime'])}; or add --text",
        ) from error


@lru_cache(maxsize=1)
def _compiled() -> tuple[Any, Any]:
    """Return the engine and the module. Compiling takes 2 s, or 0.02 s from the cache."""
    import wasmtime

    atexit.register(_compiled.cache_clear)  # it cannot be freed later, when its modules are gone
    for cached in (True, False):
        config = wasmtime.Config()
        config.cranelift_opt_level = "none"
        config.epoch_interruption = True
        try:
            if cached:
                config.cache = True
            engine = wasmtime.Engine(config)
            return engine, wasmtime.Module.from_file(engine, str(WASM))
        except (wasmtime.WasmtimeError, OSError):
            if not cached:
                raise
    raise AssertionError


class _Graphviz:
    """One instance, whose C functions have their own memory."""

    # These names were given by the compiler to the functions of viz.js. `README.md` next to the
    # file explains how to find them again.
    _READ, _NEW_CONTEXT, _LAYOUT, _RENDER, _MALLOC, _START = "I", "V", "X", "_", "F", "A"
    _MEMORY, _Y_DOWN, _GROW = "z", "B", "k"
    _HARMLESS = ("s", "t")  # they ask for the size of the environment

    def __init__(self) -> None:
        import wasmtime

        engine, module = _compiled()
        self._engine, self._store = engine, wasmtime.Store(engine)
        self._store.set_epoch_deadline(1)
        linker = wasmtime.Linker(engine)
        for wanted in module.imports:
            linker.define(
                self._store,
                wanted.module,
                wanted.name,
                wasmtime.Func(self._store, wanted.type, self._import(wanted.name)),
            )
        try:
            self._functions: Any = linker.instantiate(self._store, module).exports(self._store)
        # it reserves 4 GiB of addresses, which `ulimit -v` may not allow
        except wasmtime.WasmtimeError as error:
            raise NoLayout(
                f"WebAssembly does not run here: {str(error).splitlines()[0]}",
                "run ulimit -v unlimited first, or add --text",
            ) from error
        self._memory: Any = self._functions[self._MEMORY]
        self._call(self._START)

    def _import(self, name: str) -> Callable[..., Any]:
        """Return the module's import of this name. It can only get more memory."""

        def answer(*arguments: int) -> int | None:
            if name == self._GROW:
                missing = (arguments[0] & 0xFFFFFFFF) - self._size()
                self._grow(-(-missing // 65536))
                return 1
            if name in self._HARMLESS:
                return 0
            raise NoLayout("Graphviz could not lay out this graph", "--text shows it")

        return answer

    def _call(self, function: str, *arguments: int) -> Any:
        return self._functions[function](self._store, *arguments)

    def _size(self) -> int:
        return int(self._memory.data_len(self._store))

    def _grow(self, pages: int) -> None:
        self._memory.grow(self._store, pages)

    def _write(self, data: bytes, place: int) -> None:
        self._memory.write(self._store, data, place)

    def _read(self, start: int, end: int) -> bytes:
        return bytes(self._memory.read(self._store, start, end))

    def _text(self, text: str) -> int:
        data = text.encode() + b"\0"
        place: int = self._call(self._MALLOC, len(data))
        self._write(data, place)
        return place

    def lay_out(self, source: str, seconds: float) -> str:
        """Return the layout of a graph in the DOT language, in `plain` format.

        Raise NoLayout if that takes longer than `seconds`.
        """
        import wasmtime

        timer = threading.Timer(seconds, self._engine.increment_epoch)
        timer.daemon = True
        timer.start()
        try:
            return self._laid_out(source)
        except (wasmtime.Trap, wasmtime.WasmtimeError) as error:
            raise NoLayout("the graph is too tangled for a picture", "--text shows it") from error
        finally:
            timer.cancel()

    def _laid_out(self, source: str) -> str:
        graph = self._call(self._READ, self._text(source))
        self._call(self._Y_DOWN, 1)
        context = self._call(self._NEW_CONTEXT)
        if not graph or self._call(self._LAYOUT, context, graph, self._text("dot")):
            raise NoLayout("Graphviz could not lay out this graph", "--text shows it")
        place = self._call(self._RENDER, context, graph, self._text("plain"))
        found = b""
        while b"\0" not in found[-CHUNK:]:
            start = place + len(found)
            found += self._read(start, min(start + CHUNK, self._size()))
        return found.partition(b"\0")[0].decode()


class _InBrowser(_Graphviz):
    """The same module, run by the browser that runs this interpreter."""

    def __init__(self) -> None:
        from js import Object, WebAssembly
        from pyodide.ffi import create_proxy, to_js

        module = WebAssembly.Module.new(to_js(WASM.read_bytes()))
        imports: dict[str, dict[str, Any]] = {}
        for wanted in WebAssembly.Module.imports(module):
            names = imports.setdefault(wanted.module, {})
            names[wanted.name] = create_proxy(self._import(wanted.name))
        given = to_js(imports, dict_converter=Object.fromEntries)
        self._functions = WebAssembly.Instance.new(module, given).exports
        self._memory = getattr(self._functions, self._MEMORY)
        self._call(self._START)

    def _call(self, function: str, *arguments: int) -> Any:
        return getattr(self._functions, function)(*arguments)

    def _size(self) -> int:
        return int(self._memory.buffer.byteLength)

    def _grow(self, pages: int) -> None:
        self._memory.grow(pages)

    def _bytes(self, start: int, size: int) -> Any:
        from js import Uint8Array

        return Uint8Array.new(self._memory.buffer, start, size)

    def _write(self, data: bytes, place: int) -> None:
        self._bytes(place, len(data)).assign(data)

    def _read(self, start: int, end: int) -> bytes:
        return bytes(self._bytes(start, end - start).to_bytes())

    def lay_out(self, source: str, seconds: float) -> str:  # noqa: ARG002 - Ctrl-C ends it
        """Return the layout as above, however long it takes."""
        return self._laid_out(source)
