"""All links of a built site, in HTML and in SVG, and those that lead nowhere. MkDocs checks only those in Markdown."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Anchors(HTMLParser):
    """The ids of a page and where it links to."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.repeated: set[str] = set()
        self.links: list[str] = []

    def handle_starttag(self, _: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" and value:
                (self.repeated if value in self.ids else self.ids).add(value)
            if name in {"href", "xlink:href", "src"} and value:
                self.links.append(value)


def pages(site: Path) -> dict[str, Anchors]:
    """The pages of a site by their path, `states/leased/index.html`."""
    found = {}
    for path in sorted(site.rglob("*.html")):
        found[path.relative_to(site).as_posix()] = parser = Anchors()
        parser.feed(path.read_text(encoding="utf-8"))
    return found


def broken(site: Path) -> Iterator[str]:
    """Each link to a page, a file or an anchor that does not exist, with the page that it stands on."""
    read = pages(site)
    for name, page in read.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc or name == "404.html":
                continue
            target = (
                posixpath.normpath(posixpath.join(posixpath.dirname(name), unquote(parts.path))) if parts.path else name
            )
            if parts.path.endswith("/") or target == "." or (site / target).is_dir():
                target = posixpath.normpath(posixpath.join(target, "index.html"))
            anchors = read[target].ids | {"__skip", ""} if target in read else {unquote(parts.fragment)}
            if not (site / target).is_file() or unquote(parts.fragment) not in anchors:
                yield f"{name}: {link}"


def repeated_ids(site: Path) -> Iterator[str]:
    """Each id that stands twice on a page."""
    for name, page in pages(site).items():
        yield from (f"{name}: {one}" for one in sorted(page.repeated))
