"""The reference matrix with hostile text in every place where the schema allows text."""

from __future__ import annotations

import itertools
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml
from projects import ROOT

HOSTILE = """\
<script>window.__x = 1; alert(1)</script> "'><img src=x onerror=alert(1)> *a* _b_ **c** [d](javascript:alert(1))
<https://e.example> ![f](g.png) `h` ``` ~~~ {{ 7*7 }} {% raw %} {% endraw %} {# i #} ${j} \\j &amp; &lt; &#42; | \\
# - + 1. > !!! :k: {: .l } [m]: n ^o^ ==p== <!-- q --> ]]> --> </td></table></pre></svg></title></textarea>
<img src=y onerror=alert(2)> 失败的导出 مهلة 🧨 \u202e\u200b"""
"""Whatever HTML, Markdown and its extensions, Jinja2, YAML, JavaScript or DOT could take for something of theirs."""

PLAIN = HOSTILE.split("\n", 1)[0]
"""One line without the braces that address parameters in paths."""

SCHEMAS = ROOT / "generator" / "failure_matrix" / "schema"

AS_THEY_ARE = ("tables", "table", "generation", "holder", "expires", "at", "ranges", "subjects")
"""Names that the checks look up: of a file, of columns, of a place in the matrix; ranges; the list of all subjects."""

STATEMENTS = ("sql", "digest", "run")


class Spoiler:
    """Puts hostile text into a document, and remembers each text that it has put in."""

    def __init__(self, form: str, name: str) -> None:
        self.schema = json.loads((SCHEMAS / f"{form}.schema.json").read_text(encoding="utf-8"))
        self.texts: list[str] = []
        self._numbers = itertools.count(1)
        self._name = "".join(filter(str.isalpha, name.upper()))

    def spoil(self, node: Any, schema: dict[str, Any], key: str = "") -> Any:
        """A part of a document, with hostile text in the place of text."""
        if key in AS_THEY_ARE:
            return node
        if isinstance(node, list):
            schemas = [one for one in self.choices(schema) if "items" in one]
            return [self.spoil(child, schemas[0]["items"], key) for child in node] if schemas else node
        if isinstance(node, dict):
            return {name: self.spoil(child, self.child(schema, name), name) for name, child in node.items()}
        is_text = any(takes_text(one) for one in self.choices(schema))
        return self.text(node, key) if is_text else node

    def text(self, old: str, key: str) -> str:
        """A hostile text that no other one is equal to."""
        name = f"{self._name}{next(self._numbers)}TEXT"
        if key in STATEMENTS:
            new = f"{old.strip()} -- {name} {' '.join(HOSTILE.split())}"
        else:
            new = f"{name} {PLAIN if key in {'file', 'url'} else HOSTILE}"
        self.texts.append(" ".join(new.split()))
        return new

    def choices(self, schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """The forms that a part can have, references resolved."""
        if "$ref" in schema:
            yield from self.choices(self.schema["$defs"][schema["$ref"].rpartition("/")[2]])
        for one in schema.get("anyOf", ()):
            yield from self.choices(one)
        yield schema

    def child(self, schema: dict[str, Any], name: str) -> dict[str, Any]:
        """The form of what stands under a key."""
        for one in self.choices(schema):
            if name in one.get("properties", {}):
                return dict(one["properties"][name])
            if isinstance(one.get("additionalProperties"), dict):
                return dict(one["additionalProperties"])
        return {}


def takes_text(schema: dict[str, Any]) -> bool:
    """Whether a form takes any text that is not empty."""
    return "string" in schema.get("type", ()) and "enum" not in schema and schema.get("pattern", r"\S") == r"\S"


FILES = (("design-export", "matrix"), ("outbox-relay", "matrix"), ("owners", "owners"))
"""Two matrices, which are compared, and their owners."""


def write_hostile(folder: Path) -> list[str]:
    """Writes `matrix/` with two matrices and their owners, spoilt; gives the texts, white space collapsed."""
    texts = []
    shutil.copytree(ROOT / "matrix" / "schemas", folder / "matrix" / "schemas")
    for name, form in FILES:
        source = yaml.safe_load((ROOT / "matrix" / f"{name}.yml").read_text(encoding="utf-8"))
        if name == "design-export":
            source["accept"] = [{"rule": "414", "at": "taken-over.forbidden.cancel", "because": "x", "by": "x"}]
        spoiler = Spoiler(form, name)
        spoilt = spoiler.spoil(source, spoiler.schema)
        text = json.dumps(spoilt, ensure_ascii=False, indent=1)
        (folder / "matrix" / f"{name}.yml").write_text(text, encoding="utf-8")
        texts += spoiler.texts
    return texts
