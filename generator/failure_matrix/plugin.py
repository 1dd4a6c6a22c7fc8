"""The MkDocs plugin: puts the generated pages among the written ones. Only this module and `building` know MkDocs."""

from __future__ import annotations

import html
import logging
import posixpath
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from markupsafe import Markup
from mkdocs.config import config_options
from mkdocs.config.base import Config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin, CombinedEvent, event_priority
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page as MkDocsPage
from mkdocs.utils import get_relative_url, nest_paths
from mkdocs.utils.templates import TemplateContext

from failure_matrix import clock, pages, pipeline, resources, site
from failure_matrix.errors import CannotGoOn
from failure_matrix.problems import errors
from failure_matrix.report import Report, as_text, counted
from failure_matrix.urls import Urls

if TYPE_CHECKING:
    from mkdocs.livereload import LiveReloadServer

log = logging.getLogger("mkdocs.plugins.failure-matrix")

NAV_ENTRY = "failure-matrix"
"""An entry of this name in the navigation of `mkdocs.yml` is replaced by the matrices' pages."""

NAMELESS_SEARCH = '<div class="md-search" data-md-component="search" role="dialog"'
"""Material gives its dialog no name, which whoever can't see it needs."""


class FailureMatrixConfig(Config):
    """The plugin's options. All others stand in `settings.yml` in the matrices' folder."""

    matrix = config_options.Type(str, default="matrix")


class FailureMatrixPlugin(BasePlugin[FailureMatrixConfig]):
    """Reads, checks and proves the matrices before MkDocs touches the site, then adds their pages."""

    def __init__(self) -> None:
        self._today = clock.today()
        self._good: site.Site | None = None
        self._shown: site.Site = site.Site((), [])
        self._pages: dict[str, pages.Page] = {}
        self._serving = False
        self._server: LiveReloadServer | None = None
        self._trouble = ""
        self._searched: dict[str, str] = {}
        self._whole = ""

    def on_startup(self, *, command: str, dirty: bool) -> None:  # noqa: ARG002 - the signature is MkDocs'
        """Remembers whether somebody is editing. MkDocs keeps this instance from build to build because of it."""
        self._serving = command == "serve"

    def on_serve(self, server: LiveReloadServer, /, **_: object) -> LiveReloadServer:
        """Remembers the server, to let it watch what a later edit brings in."""
        self._server = server
        return server

    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        """Adds the style sheets and scripts."""
        config.extra_css = [*(f"{site.ASSETS}/{name}" for name in site.STYLES), *config.extra_css]
        config.extra_javascript = [*(f"{site.ASSETS}/{name}" for name in site.SCRIPTS), *config.extra_javascript]
        config.watch = [*config.watch, str(self._folder(config))]
        return config

    def on_pre_build(self, *, config: MkDocsConfig) -> None:
        """Makes the site's pages. MkDocs empties its folder only afterwards, so an error leaves the last site."""
        try:
            self._shown = self._make(config)
        except CannotGoOn as reason:
            if not self._serving:
                raise PluginError(str(reason)) from reason
            log.error("%s", reason)
            self._shown = self._keep_good(str(reason), site.apology(str(reason), self._home(config)))
        self._pages = {f"{page.key}.md": page for page in self._shown.pages}

    def on_files(self, files: Files, *, config: MkDocsConfig) -> Files:
        """Adds the pages, their assets and their navigation."""
        written = [file.src_uri for file in files.documentation_pages()]
        for page in self._shown.pages:
            files.append(self._file(page, config))
        for name in (*site.STYLES, *site.SCRIPTS):
            files.append(
                File.generated(config, f"{site.ASSETS}/{name}", abs_src_path=str(resources.assets_folder() / name))
            )
        config.nav = combined(markdown(self._shown.nav), config.nav, nest_paths(written))
        return files

    @event_priority(100)
    def on_page_content(self, html: str, *, page: MkDocsPage, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG002
        """Puts the blocks of HTML in, once the Markdown around them has been converted."""
        made = self._pages.get(page.file.src_uri)
        if made is None:
            return html
        self._searched[page.file.src_uri] = made.searched(html)
        return made.filled(html)

    @event_priority(100)
    def _show_gist(self, /, context: TemplateContext, *, page: MkDocsPage, **_: object) -> TemplateContext:
        """Lets the search read what it needs of a page instead of all of its HTML."""
        if page.file.src_uri in self._searched:
            self._whole = page.content or ""
            page.content = self._searched.pop(page.file.src_uri)
        return context

    @event_priority(-100)
    def _show_whole(self, /, context: TemplateContext, *, page: MkDocsPage, **_: object) -> TemplateContext:
        """Gives the page back once the search has read it."""
        if page.file.src_uri in self._pages:
            page.content = self._whole
        return context

    on_page_context = CombinedEvent(_show_gist, _show_whole)

    def on_post_page(self, output: str, *, page: MkDocsPage, config: MkDocsConfig) -> str:
        """Says on every page that an edit is broken, and where to read what is wrong. Mends what themes get wrong."""
        output = output.replace(NAMELESS_SEARCH, f'{NAMELESS_SEARCH} aria-label="Search"', 1)
        output = with_escaped_title(output, page.title or "")
        if not self._trouble:
            return output
        problems = get_relative_url(Urls(config.use_directory_urls).served("problems"), page.url)
        banner = (
            f'<div class="fm-banner" role="alert">{html.escape(self._trouble)} The pages show how it was before. '
            f'<a href="{problems}">What is wrong</a></div>'
        )
        return output.replace("<article ", banner + "<article ", 1)

    def _make(self, config: MkDocsConfig) -> site.Site:
        """The site; in its place, while somebody is editing, the last good one with the problems of now."""
        request = self._request(config)
        made = pipeline.make(request)
        if made.site:
            self._trouble, self._good = "", made.site
            for problem in errors(made.checked.problems):
                log.warning("%s: %s The pages mark it. (rule %s)", problem.location, problem.sentence, problem.rule)
            return made.site
        said = as_text(Report.of(made.project, made.checked, config.site_url or ""))
        if not self._serving:
            raise PluginError("\n" + said)
        log.error("The last good pages stay, since a matrix has errors.\n%s", said)
        number = counted(len(errors(made.checked.problems)), "error")
        return self._keep_good(f"The matrices have {number} now.", pipeline.instead(request, made))

    def _request(self, config: MkDocsConfig) -> pipeline.Request:
        root = project_folder(config)
        return pipeline.Request(
            folder=self._folder(config),
            root=root,
            today=self._today,
            home=self._home(config),
            cache=root / ".cache" / "failure-matrix",
            urls=Urls(config.use_directory_urls),
            watch=partial(self._watch, config),
        )

    def _watch(self, config: MkDocsConfig, path: Path) -> None:
        """Builds again when a file changes. MkDocs looks into the configuration for it only before it serves."""
        config.watch = [*config.watch, str(path)]
        if self._server and path.exists():
            self._server.watch(str(path))

    def _folder(self, config: MkDocsConfig) -> Path:
        return project_folder(config) / self.config.matrix

    def _home(self, config: MkDocsConfig) -> str:
        """The key of our home page: another one where the project has written its own."""
        written = any((Path(config.docs_dir) / name).exists() for name in ("index.md", "README.md"))
        return "matrices" if written else "index"

    def _keep_good(self, trouble: str, instead: site.Site) -> site.Site:
        """The last good site with the problems of now; where there is none, only these."""
        if self._good is None:
            return instead
        self._trouble = trouble
        replaced = {page.key: page for page in instead.pages if page.key != self._good.pages[0].key}
        return site.Site(tuple(replaced.get(page.key, page) for page in self._good.pages), self._good.nav)

    def _file(self, page: pages.Page, config: MkDocsConfig) -> File:
        """A generated page as a file of MkDocs. Its edit button leads to the YAML that it was made of."""
        inclusion = InclusionLevel.UNDEFINED if page.listed else InclusionLevel.NOT_IN_NAV
        file = File.generated(config, f"{page.key}.md", content=page.front_matter + page.outline, inclusion=inclusion)
        if page.source:
            file.edit_uri = posixpath.relpath(project_folder(config) / page.source, Path(config.docs_dir).as_posix())
        return file


def with_escaped_title(output: str, title: str) -> str:
    """A page whose title in the head is escaped. Themes undo that, so that text which ends the title became markup."""
    shown = Markup(title).striptags()
    return output.replace(f"<title>{shown}", f"<title>{html.escape(shown)}", 1)


def project_folder(config: MkDocsConfig) -> Path:
    """The folder of `mkdocs.yml`, which paths are relative to."""
    return Path(config.config_file_path).parent.resolve() if config.config_file_path else Path.cwd()


def markdown(nav: site.Nav) -> list[object]:
    """Our navigation in the form of MkDocs: titles are text for us and HTML for MkDocs."""
    return [
        f"{entry}.md"
        if isinstance(entry, str)
        else {html.escape(title): markdown(children) for title, children in entry.items()}
        for entry in nav
    ]


def combined(ours: list[object], configured: list[object] | None, written: list[object]) -> list[object]:
    """The navigation: ours where the configuration names it, else before everything else."""
    if configured is None:
        return [*ours, *written]
    nav = [item for entry in configured for item in (placed(entry, ours))]
    return nav if nav != configured else [*ours, *configured]


def placed(entry: object, ours: list[object]) -> list[object]:
    """An entry of the configured navigation, with ours in the place of its name."""
    if entry == NAV_ENTRY:
        return ours
    if isinstance(entry, dict):
        return [{title: ours if child == NAV_ENTRY else child for title, child in entry.items()}]
    return [entry]
