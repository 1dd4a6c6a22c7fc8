"""The examples of the rules' pages: found in the docstring, and laid over the base."""

from __future__ import annotations

import re
from pathlib import Path

import yaml

BASE = Path(__file__).with_name("base.yml")


def examples(page: str) -> tuple[str, str]:
    """The failing and the mended example of a rule's page."""
    failing, mended = re.findall(r"^## (?:Fails|Mended)\n.*?^```yaml\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    return failing, mended


def laid_over(base: str, fragment: str) -> tuple[str, str]:
    """The base with a fragment laid over it, as the text of a matrix and of its `owners.yml`."""
    whole = yaml.compose(base)
    _lay_over(whole, yaml.compose(fragment) or yaml.MappingNode("tag:yaml.org,2002:map", []))
    owners = [pair for pair in whole.value if pair[0].value == "owners"]
    whole.value = [pair for pair in whole.value if pair not in owners]
    return _text(whole), _text(yaml.MappingNode(whole.tag, owners))


def _lay_over(below: yaml.MappingNode, above: yaml.MappingNode) -> None:
    for key, value in above.value:
        place = next((n for n, (known, _) in enumerate(below.value) if known.value == key.value), None)
        if value.tag == "tag:yaml.org,2002:null":
            below.value = [pair for pair in below.value if pair[0].value != key.value]
        elif place is None:
            below.value.append((key, value))
        elif isinstance(value, yaml.MappingNode) and isinstance(below.value[place][1], yaml.MappingNode):
            _lay_over(below.value[place][1], value)
        else:
            below.value[place] = (key, value)


def _text(node: yaml.Node) -> str:
    return str(yaml.serialize(node, allow_unicode=True, width=120))
