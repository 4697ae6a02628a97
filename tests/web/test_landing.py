"""The landing page in a real browser: it computes at once, can be shared, and believes no link."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from grader.authoring.site import landing_files
from support import put, tells
from support.axe import barriers
from support.browser import assert_quiet, needs_browser, resize
from support.firefox import firefox, needs_firefox
from support.page import Story, gives, play, says, type_into
from support.site import served, wait
from support.story import each
from support.workers import within

pytestmark = [needs_browser, pytest.mark.xdist_group("landing"), pytest.mark.slow]
NODES = """return Object.fromEntries([...document.querySelectorAll('#frame .node')].map((node) =>
    [node.querySelector('title').textContent, [node.classList.contains('wrong'),
     ...[...node.querySelectorAll('.value, .grad, .right')].map((one) => one.textContent)]]));"""
FIRST = "(a*b + a)*b"
INERT = "[...document.querySelectorAll('[inert]')].map((one) => one.id)"
HOSTILE = {
    "expr=<img src=x onerror=alert(1)>": "`<` has no meaning here",
    "expr=%3Cimg%20src=x%20onerror=alert(1)%3E": "`<` has no meaning here",
    "expr=alert(1)": "`alert` is not a function here",
    "expr=constructor.constructor(1)": "`.` has no meaning here",
    "expr=constructor(a)": "`constructor` is not a function here",
    "expr=a*b&a=<script>alert(1)</script>": "`a` needs a number",
    "expr=a*b&a=1e999": "`a` is not a finite number",
    "expr=a/b&b=0": "`a/b` is not a finite number",
    "expr=%E0%A4%A": "damaged",
    f"expr={'a' * 201}": "at most 200",
    f"expr={'a' * 3000}": "too long",
    f"expr={'(' * 200}": "missing at the end",
    f"expr={'-' * 190}a": "too large",
    "expr=" + "**".join("a23"): "",
    "expr=a**a": "exponent must be a number",
    "expr=a b": "operator missing",
}


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(put(tmp_path_factory.mktemp("landing"), landing_files()), isolated=False) as root:
        yield f"{root}/"


@pytest.fixture
def page(driver: Any, address: str) -> Iterator[Any]:
    """Yield the page. It must log nothing, and request nothing from anywhere else."""
    show(driver, address=address)
    yield driver
    assert_quiet(driver, address)


def show(driver: Any, link: str = "", address: str = "") -> None:
    address = address or driver.current_url.partition("?")[0].partition("#")[0]
    driver.get("about:blank")
    driver.get(address + link)
    wait(driver, "document.querySelector('#say').textContent || trouble.textContent")


def press(driver: Any, *ids: str) -> None:
    for id in ids:
        driver.find_element("id", id).click()


def node(driver: Any, name: str, *told: object) -> None:
    """Fail unless a node is wrong or not, and tells this number, gradient and right gradient."""
    assert driver.execute_script(NODES)[name] == [*told]


def wrong(driver: Any, *names: str) -> None:
    """Wait until these nodes are marked as wrong, and no other ones."""
    marked = "[...document.querySelectorAll('#frame .wrong title')].map((one) => one.textContent)"
    wait(driver, f"({marked}).join(' ') === '{' '.join(names)}'", 5)


STORIES: dict[str, Story] = {
    "gradients appear node by node with the rule that makes them": [
        (node, "a", False, "2", "0", ""),
        (press, "next", "next"),
        (says, "#say", "A product passes to each factor its gradient times the other factor."),
        (says, "#say", "(a*b + a).grad += -3 * 1 now -3"),
        (node, FIRST, False, "12", "1", ""),
        (node, "b", False, "-3", "-4", ""),
        (node, "a", False, "2", "0", ""),
        (press, "next", "next"),
        (says, "#say", "a.grad += -3 * -3 was -3, now 6"),
        (press, "back"),
        (node, "a", False, "2", "-3", ""),
    ],
    "an expression and numbers of one's own are computed while typing": [
        (type_into, "#expression", "tanh(x**2) / y + 2*x"),
        (type_into, "[data-name=x] input", "0.5"),
        (type_into, "[data-name=y] input", "-4"),
        (press, "end"),
        (node, "tanh(x**2)/y + 2*x", False, "0.9388", "1", ""),
        (node, "x", False, "0.5", "1.765", ""),
        (node, "y", False, "-4", "-0.01531", ""),
        (type_into, "[data-name=y] input", "0"),
        (says, "#trouble", "tanh(x**2)/y is not a finite number"),
    ],
    "an expression that is not understood says what is and dims the last one": [
        (type_into, "#expression", "sin(a)"),
        (says, "#trouble", "sin is not a function here. Use names, numbers, + - * / ** ( ), tanh,"),
        (gives, INERT, ["numbers", "frame", "panel", "share"]),
        (gives, "getComputedStyle(frame).opacity", "0.35"),
        (type_into, "#expression", "tanh(a)"),
        (gives, INERT, []),
        (type_into, "[data-name=a] input", "x"),
        (gives, INERT, ["frame", "panel", "share"]),  # the number can be changed
        (type_into, "[data-name=a] input", "0"),
        (press, "end"),
        (node, "a", False, "0", "1", ""),
    ],
    "the wrong nodes turn red within five seconds of a click": [
        (press, "assign"),
        (wrong, "a", "b"),
        (node, "a", True, "2", "9", " ≠ 6"),
        (node, "b", True, "-3", "-6", " ≠ -10"),
        (says, "#say", "a is used twice, so its gradient is the sum of -3 and 9, but = keeps only"),
        (says, "#say", "the last one. The same happens to b."),
        (press, "assign"),
        (wrong,),
        (type_into, "#expression", "a*b"),
        (press, "assign"),
        (says, "#say", "every node is used only once"),
    ],
}


OUTSIDE = """['#next', '#say > p', '#frame .active'].filter((css) => {
    const { top, bottom } = document.querySelector(css).getBoundingClientRect();
    return top < 0 || bottom > innerHeight;
})"""
SEEN = """(([box, view]) => box.left >= view.left && box.right <= view.right
    && box.bottom <= view.bottom)([document.querySelector('.active'), frame]
    .map((one) => one.getBoundingClientRect()))"""
STORIES |= {
    "a phone shows each step's text next to its node": [
        (resize, 390, 844),
        (show,),
        *[(press, "next"), (gives, OUTSIDE, [])] * 4,
        *(
            step
            for height in (480, 300)  # of an iframe
            for step in (
                (resize, 390, height),
                (show, "?embed#expr=(a*b %2B a)*b&@=2"),
                (gives, "document.documentElement.scrollHeight", height),
                (gives, f"frame.offsetHeight >= 0.3 * {height}", True),
            )
        ),
        (resize, 1280, 800),
    ],
    "a large graph is scrolled to the node that runs": [
        (show, f"#expr={quote('+'.join(['tanh(a)*b'] * 6))}"),
        *[(press, "next"), (gives, SEEN, True)] * 6,
    ],
}


@each(STORIES)
def test_a_learner_reads_gradients_and_where_they_come_from(page: Any, story: Story) -> None:
    play(page, story)


def test_a_link_shows_the_same_trace(page: Any) -> None:
    type_into(page, "#expression", "expr*expr + 1e2*e")
    type_into(page, "[data-name=expr] input", "-1.5")
    press(page, "assign", "back", "link")
    copied = page.find_element("id", "copy").get_property("value")
    before = page.execute_script(NODES), page.find_element("id", "say").text
    show(page, address=copied)
    assert (page.execute_script(NODES), page.find_element("id", "say").text) == before
    node(page, "expr", True, "-1.5", "-1.5", " ≠ -3")


def test_an_embedded_trace_shows_the_picture_and_the_steps(page: Any, address: str) -> None:
    type_into(page, "#expression", "a*a*c")
    press(page, "next", "iframe")
    frame = page.find_element("id", "copy").get_property("value")
    (element,) = ET.fromstring(f"<p>{frame}</p>")
    source = element.get("src", "")
    assert source.startswith(f"{address}?embed#expr=")
    show(page, address=source)
    shown = page.execute_script("""return [...document.querySelectorAll("p, input, button, a, svg")]
        .filter((one) => one.checkVisibility() && !one.closest("#say, .hero"))
        .map((one) => one.id || one.tagName)""")
    assert shown == ["svg", "back", "next", "end", "full"]
    press(page, "next")
    says(page, "#say", "a*a*c runs")


def test_the_picture_can_be_downloaded(page: Any, tmp_path: Path) -> None:
    page.execute_cdp_cmd(
        "Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)}
    )
    press(page, "end", "svg")
    assert within(30, (tmp_path / "trace.svg").exists)
    picture = ET.fromstring((tmp_path / "trace.svg").read_text(encoding="utf-8"))
    words = [text.strip() for text in picture.itertext()]
    assert {FIRST, "-10"} <= {*words}
    tells(words[0], "prefers-color-scheme: dark", "var(--")


@needs_firefox
def test_firefox_shows_the_same(page: Any, address: str, tmp_path: Path) -> None:
    link = "#expr=(a*b %2B a)*b&assign&@=5"
    show(page, link)
    with firefox(tmp_path / "profile") as other:
        other.get(address + link)
        wait(other, "document.querySelector('#frame .wrong')")
        assert other.execute_script(NODES) == page.execute_script(NODES)


@pytest.mark.parametrize("link", HOSTILE)
def test_nothing_in_a_link_is_believed(page: Any, link: str) -> None:
    count = "return document.querySelectorAll('script, img, iframe, a, style').length"
    before = page.execute_script(count)
    for query in ("", "?embed"):
        show(page, f"{query}#{link}")
        sentence = page.find_element("id", "say" if query else "trouble").get_property("innerHTML")
        assert HOSTILE[link] in sentence.replace("<code>", "`").replace("</code>", "`").replace(
            "&lt;", "<"
        )
        assert page.execute_script(count) == before


def test_the_page_s_policy_allows_no_code_from_elsewhere_or_in_the_page(page: Any) -> None:
    policy = page.execute_script(
        "return document.querySelector('meta[http-equiv=Content-Security-Policy]').content"
    )
    assert policy.startswith("default-src 'self';")
    assert "unsafe" not in policy
    page.execute_script("""window.ran = 0;
        for (const [name, set] of [["script", (one) => { one.textContent = "ran = 1"; }],
                ["img", (one) => { one.setAttribute("onerror", "ran = 1"); one.src = "data:,"; }]])
            { const one = document.createElement(name); set(one); document.body.append(one); }""")
    wait(page, "document.images[document.images.length - 1].complete")
    assert page.execute_script("return ran") == 0
    refused = [entry["message"] for entry in page.get_log("browser")]
    assert all("Content Security Policy" in message for message in refused)
    assert refused


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_everybody_can_use_the_page(page: Any, width: int, theme: str) -> None:
    resize(page, width, 800, theme)
    for query in ("", "?embed"):
        show(page, f"{query}#expr={quote('(a*b + a) * b')}")
        press(page, "next", "next", "next")
        assert barriers(page) == []
        assert page.execute_script("return document.documentElement.scrollWidth <= innerWidth")
    show(page)
    press(page, "assign", "link")
    assert barriers(page) == []
