"""Pages as Markdown, laid out by Jinja2 templates.

Everything that a template writes is escaped. A generated page is headings and blocks of HTML: the blocks are kept
beside the Markdown, each with a placeholder in it, so that a builder can put them in after its own pass over the
Markdown, which is what takes the time on large sites.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup, escape

from failure_matrix.errors import BadTemplate
from failure_matrix.resources import templates_folder

PUNCTUATION = re.compile(r"[!-/:-@\[-`{-~]")
"""All ASCII punctuation: whatever could be markup in Markdown or in one of its extensions."""


@dataclass(frozen=True, slots=True)
class Block:
    """A block of HTML of a page, and what the search has to know of it: its headings and rows, and their text."""

    html: str
    gist: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    """A generated page: its key, its Markdown with placeholders, and the blocks that they stand for.

    `source` is the path of the file that one edits to change the page, relative to the project; `wide` is a page
    that needs the width of a table of contents; `listed` is a page that the navigation names. The search finds a page
    before others by its `boost`, and a page of boost 0 not at all.
    """

    key: str
    outline: str
    blocks: tuple[Block, ...] = ()
    source: str = ""
    wide: bool = False
    listed: bool = True
    boost: float = 1

    @property
    def markdown(self) -> str:
        """The whole page as Markdown with blocks of HTML, for any builder."""
        return self.front_matter + self.filled(self.outline)

    def filled(self, text: str) -> str:
        """A text with the blocks in the place of their placeholders."""
        return PLACEHOLDER.sub(lambda found: self.blocks[int(found[1])].html, text)

    def searched(self, text: str) -> str:
        """A text with what the search has to know of the blocks in the place of their placeholders."""
        return PLACEHOLDER.sub(lambda found: self.blocks[int(found[1])].gist, text)

    @property
    def front_matter(self) -> str:
        """Material's wishes for the page's layout and its search."""
        wishes = ["hide: [toc]"] if self.wide else []
        if self.boost != 1:
            wishes.append(f"search: {{boost: {self.boost}}}" if self.boost else "search: {exclude: true}")
        return "\n".join(["---", *wishes, "---", "", ""]) if wishes else ""


PLACEHOLDER = re.compile(r'<div data-failure-matrix="(\d+)"></div>')

ROW = re.compile(r'<(?:tr|section)[^>]* id="([^"]+)"[^>]*>\s*<(th|h[23])[^>]*>(.*?)</\2>', re.DOTALL)
"""The beginning of a row or a section with an address of its own, and its heading. Only our templates write it."""

TAG = re.compile(r"<[^>]*>")

TICKS = re.compile(r"`([^`]*)`")


def gist(html: str) -> str:
    """The text of a block of HTML, under a heading for each row that has an address.

    Builders' searches read HTML slowly and tag by tag, and find no more than headings. So they get no more.
    """
    parts = ROW.split(html)
    text = [f"<p>{plain(parts[0])}</p>"]
    for anchor, _, title, rest in zip(parts[1::4], parts[2::4], parts[3::4], parts[4::4], strict=True):
        text.append(f'<h3 id="{anchor}">{plain(title)}</h3><p>{plain(rest)}</p>')
    return "".join(text)


def plain(html: str) -> str:
    """A piece of HTML without its tags, its white space collapsed. It stays escaped."""
    return " ".join(TAG.sub(" ", html).split())


@dataclass(slots=True)
class Blocks:
    """The blocks of one page while its template runs."""

    blocks: list[Block] = field(default_factory=list)

    def add(self, block: Block) -> Markup:
        """Keeps a block and gives the placeholder for it."""
        self.blocks.append(block)
        return Markup('\n\n<div data-failure-matrix="{}"></div>\n\n').format(len(self.blocks) - 1)

    def html(self, caller: Callable[[], str]) -> Markup:
        """Keeps what a `{% call html() %}` encloses."""
        html = caller().strip()
        return self.add(Block(html, gist(html)))

    def figure(self, html: str) -> Markup:
        """Keeps a diagram. The search has no use for it."""
        return self.add(Block(html.strip()))


class Templates:
    """The templates: the built-in ones, each of which a file of the same name in the user's folder replaces.

    A template that replaces another one can extend it under the name `builtin/NAME`.
    """

    def __init__(self, overrides: Path | None = None) -> None:
        builtin = jinja2.FileSystemLoader(templates_folder())
        own = [jinja2.FileSystemLoader(overrides)] if overrides else []
        self._environment = jinja2.Environment(
            loader=jinja2.ChoiceLoader([*own, builtin, jinja2.PrefixLoader({"builtin": builtin})]),
            autoescape=True,
            trim_blocks=True,
            lstrip_blocks=True,
            undefined=jinja2.StrictUndefined,
        )
        self._environment.filters |= {
            "md": markdown_text,
            "sql": sql_block,
            "paragraphs": paragraphs,
            "ticks": ticks,
            "json_text": json_text,
        }

    def render(self, template: str, context: Mapping[str, Any]) -> tuple[str, tuple[Block, ...]]:
        """A template's outline and its blocks.

        Raises `BadTemplate` with file and line where a template is missing or wrong.
        """
        blocks = Blocks()
        try:
            outline = self._environment.get_template(template).render(**context, html=blocks.html, figure=blocks.figure)
        except jinja2.TemplateError as error:
            raise BadTemplate(_place(error, template)) from error
        return tidy(outline), tuple(blocks.blocks)


def _place(error: jinja2.TemplateError, template: str) -> str:
    """Where a template is wrong, and what is."""
    if isinstance(error, jinja2.TemplateSyntaxError):
        return f"{error.filename or template}:{error.lineno}: {error.message}"
    traceback, line, path = error.__traceback__, 0, template
    while traceback is not None:
        name = traceback.tb_frame.f_code.co_filename
        if name.endswith(".j2"):
            path, line = name, traceback.tb_lineno
        traceback = traceback.tb_next
    return f"{path}:{line}: {error.message or error}"


def tidy(outline: str) -> str:
    """Without the empty lines that a template's tags leave behind."""
    return re.sub(r"\n\s*\n+", "\n\n", outline).strip() + "\n"


def markdown_text(text: str) -> Markup:
    """Text for a heading: nothing in it is markup, neither to Markdown nor to HTML."""
    line = " ".join(str(text).split())
    return Markup(PUNCTUATION.sub(lambda found: f"&#{ord(found[0])};", line))


def paragraphs(text: str) -> Markup:
    """Text with empty lines between its paragraphs."""
    parts = [part for part in re.split(r"\n\s*\n", text.strip()) if part]
    return Markup("").join(Markup("<p>{}</p>").format(part) for part in parts)


def ticks(text: str) -> Markup:
    """A sentence of ours in which `code` stands between backticks."""
    return Markup(TICKS.sub(r"<code>\1</code>", str(escape(text))))


def json_text(data: object) -> Markup:
    """Data as JSON that is the text of an element: nothing in it is markup."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e"))


@cache
def sql_block(statement: str) -> Markup:
    """A statement as a block of code with highlighting and a button to copy it."""
    from pygments import highlight  # noqa: PLC0415 - takes longer to import than small sites to build
    from pygments.formatters import HtmlFormatter  # noqa: PLC0415
    from pygments.lexers.sql import PostgresLexer  # noqa: PLC0415

    code = highlight(statement.strip(), PostgresLexer(), HtmlFormatter(nowrap=True)).rstrip("\n")
    return Markup('<div class="language-sql highlight"><pre><code>{}</code></pre></div>').format(Markup(code))
