"""`failure-matrix build`, `serve` and `generate`: MkDocs with a good default configuration, or plain Markdown."""

from __future__ import annotations

import logging
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from operator import attrgetter
from pathlib import Path
from typing import Any

from mkdocs.commands.build import build as mkdocs_build
from mkdocs.commands.serve import serve as mkdocs_serve
from mkdocs.config import load_config
from mkdocs.exceptions import Abort, BuildError

from failure_matrix import clock, pipeline, resources, site, source
from failure_matrix.errors import BadConfiguration, CannotGoOn
from failure_matrix.files import project_folder
from failure_matrix.pages import Page

CONFIGURATION = "mkdocs.yml"

CACHE = Path(".cache", "failure-matrix")
"""Where drawings are kept, in the project's folder."""


def build(configuration: Path | None = None, folder: Path | None = None, *, strict: bool = False) -> int:
    """Builds the site beside its folder, and puts it there when all went well: a failure leaves the last good one.

    `configuration` is an `mkdocs.yml`; without one, that of the current folder or else the default is used.
    `folder` is where the site goes, by default where the configuration says. `strict` counts MkDocs' warnings as
    errors. Gives the exit code, 0 where the site was built; why not has been logged.
    """
    prepare_mkdocs()
    try:
        with ExitStack() as stack:
            options = stack.enter_context(configured(configuration))
            config = load_config(**options, strict=strict or None)
            fresh = stack.enter_context(replacing(Path(folder or config.site_dir).resolve()))
            config.site_dir = str(fresh)
            date_pages()
            config.plugins.on_startup(command="build", dirty=False)
            with source.without_garbage_collector():  # all that is made is kept until the end
                mkdocs_build(config)
            config.plugins.on_shutdown()
    except Abort as reason:  # out here, so that the fresh folder sees it and does not replace the last one
        return explained(reason)
    return 0


def explained(reason: Abort) -> int:
    """The exit code for what stopped MkDocs: 3 where the plugin could not go on, else 1. Logs what was not logged."""
    stopped = reason.__context__
    if not isinstance(stopped, BuildError):
        logging.getLogger("mkdocs").error("%s", reason.format_message())
    return 3 if stopped is not None and isinstance(stopped.__cause__, CannotGoOn) else 1


def serve(configuration: Path | None = None, address: str | None = None) -> None:
    """Serves the site and builds it anew at each edit, until it is interrupted. `address` is `host:port`."""
    prepare_mkdocs()
    with configured(configuration) as options:
        mkdocs_serve(options.pop("config_file"), dev_addr=address, **options)


@contextmanager
def configured(configuration: Path | None) -> Iterator[dict[str, Any]]:
    """What MkDocs' loader is given: a file, and where the project has none, the default one and its folders.

    Raises `BadConfiguration` where the file that was asked for does not exist.
    """
    if configuration is not None or Path(CONFIGURATION).exists():
        path = configuration or Path(CONFIGURATION)
        if not path.is_file():
            raise BadConfiguration(f"There is no configuration {path}.")
        yield {"config_file": str(path)}
        return
    with tempfile.TemporaryDirectory(prefix="failure-matrix-") as empty:
        docs = Path("docs") if Path("docs").is_dir() else Path(empty)
        yield {
            "config_file": str(resources.default_configuration()),
            "config_file_path": str(Path(CONFIGURATION).resolve()),
            "docs_dir": str(docs.resolve()),
        }


@contextmanager
def replacing(final: Path) -> Iterator[Path]:
    """A fresh folder that takes the place of `final` unless something is raised meanwhile."""
    final.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix=f".{final.name}-", dir=final.parent))
    try:
        yield fresh
        fresh.chmod(0o755)
        old = Path(tempfile.mkdtemp(prefix=f".{final.name}-", dir=final.parent))
        if final.exists():
            final.rename(old / "site")
        fresh.rename(final)
        shutil.rmtree(old)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def prepare_mkdocs() -> None:
    """Lets MkDocs log to the terminal, without the news of its makers."""
    os.environ.setdefault("NO_MKDOCS_2_WARNING", "1")
    logger = logging.getLogger("mkdocs")
    if not logger.handlers:
        handler = logging.StreamHandler()
        handler.setFormatter(logging.Formatter("%(levelname)-8s %(message)s"))
        logger.addHandler(handler)
    logger.setLevel(logging.INFO)


def date_pages() -> None:
    """Lets MkDocs date the site by the last commit, so that a later build of the same sources is the same."""
    if "SOURCE_DATE_EPOCH" not in os.environ and (seconds := commit_time()):
        os.environ["SOURCE_DATE_EPOCH"] = seconds


def commit_time() -> str:
    """When the last commit was made, in seconds since 1970; empty outside a repository."""
    try:
        found = subprocess.run(
            ["git", "log", "-1", "--format=%ct"], capture_output=True, text=True, check=False, timeout=10
        )
    except OSError:
        return ""
    return found.stdout.strip()


def generate(target: Path, folder: Path = Path("matrix"), *, from_file: bool = False) -> pipeline.Made:
    """Writes the pages as plain Markdown, with their assets, to a folder for any other builder.

    Only files whose content changes are written; files of an earlier run whose page is gone are removed. Nothing
    is written where a problem is an error. `from_file` is for builders that take addresses in HTML as relative to
    the file that they stand in, and not to the page.
    """
    root = project_folder(folder)
    made = pipeline.make(pipeline.Request(folder.resolve(), root, clock.today(), cache=root / CACHE))
    if made.site:
        written = from_file_addressed if from_file else attrgetter("markdown")
        files = {f"{page.key}.md": written(page).encode() for page in made.site.pages}
        for name in (*site.STYLES, *site.SCRIPTS):
            files[f"{site.ASSETS}/{name}"] = resources.asset(name).read_bytes()
        write(target, files)
    return made


def from_file_addressed(page: Page) -> str:
    """A page's Markdown with the addresses in its HTML relative to its file: one folder less than to its URL.

    The links of drawings are no `href` and stay as they are, since no builder changes them.
    """
    if page.key == "index" or page.key.endswith("/index"):
        return page.markdown
    return ADDRESS.sub(lambda found: f' href="{found[1] or "./"}"', page.markdown)


ADDRESS = re.compile(r' href="\.\./([^"]*)"')
"""An address in HTML that leaves the page's own folder, as all of them do that lead to other pages."""


def write(target: Path, files: dict[str, bytes]) -> None:
    """Writes the files that differ, and removes those of an earlier run that are no longer made.

    Raises `CannotGoOn` where a file that we did not make stands in the way.
    """
    listing = target / LISTING
    earlier = set(listing.read_text(encoding="utf-8").split("\n")) if listing.exists() else set()
    foreign = [name for name in files if name not in earlier and (target / name).exists()]
    if foreign:
        raise CannotGoOn(f"{target / foreign[0]} was not made by this command. Choose another folder, or remove it.")
    for name, content in {**files, LISTING: "\n".join(sorted(files)).encode()}.items():
        path = target / name
        if not path.exists() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    for name in sorted(earlier - set(files) - {""}):
        (target / name).unlink(missing_ok=True)


LISTING = ".failure-matrix"
"""The file that lists what `generate` wrote, so that it removes nothing else."""
