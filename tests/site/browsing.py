"""A browser, a server of files for it, and what it says of a page: complaints, overflow, axe-core's violations."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import axe_playwright_python
from playwright.sync_api import Browser, Page

AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js")

VIOLATIONS = """async options => (await axe.run(document, { ...options, resultTypes: ["violations"] }))
  .violations.flatMap(one => one.nodes.map(node => [one.id, node.target.join(" "), node.html]))"""

COLOURS = ("color-contrast", "link-in-text-block")

NOT_OURS = ("landmark-unique",)
"""Material's buttons at code blocks and its sections of the navigation share the names of their landmarks."""

STRUCTURE = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "rules": {rule: {"enabled": False} for rule in (*COLOURS, *NOT_OURS)},
}
"""All of axe-core's rules but those on colours."""

CONTRAST = {"runOnly": {"type": "rule", "values": COLOURS}}
"""Those on colours, which take the most time."""

OVERFLOW = """() => {
  const width = innerWidth, page = document.scrollingElement
  if (page.scrollWidth <= width) return []
  const wide = [...document.body.querySelectorAll("*")].filter(one => one.getBoundingClientRect().right > width + 1)
  return [`${page.scrollWidth} > ${width}`, ...wide.slice(0, 8).map(one => one.outerHTML.slice(0, 200))]
}"""


class Quiet(SimpleHTTPRequestHandler):
    """Serves files and says nothing of it."""

    def log_message(self, *_: object) -> None:
        """Says nothing."""


@contextmanager
def serving(site: Path) -> Iterator[str]:
    """Serves a folder; gives its address, which ends with a slash."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(site)))
    thread = Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def watched(browser: Browser, address: str, **options: object) -> Iterator[Page]:
    """A page that may write nothing to the console, raise nothing, open no dialog and ask no other server."""
    context = browser.new_context(**options)  # type: ignore[arg-type]
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda said: complaints.append(f"console: {said.text}") if said.type != "log" else None)
    page.on("pageerror", lambda error: complaints.append(f"error: {error}"))
    page.on("dialog", lambda dialog: (complaints.append(f"dialog: {dialog.message}"), dialog.dismiss()))
    page.on(
        "request", lambda one: None if one.url.startswith((address, "data:", "blob:")) else complaints.append(one.url)
    )
    yield page
    context.close()
    assert not complaints, complaints


def violations(page: Page, rules: object) -> list[str]:
    """What axe-core has against a page: rule, element, its HTML."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    return [json.dumps(one, ensure_ascii=False) for one in page.evaluate(VIOLATIONS, rules)]
