"""The form of the files, as JSON Schema, and what a file has that does not fit it.

The JSON files beside this module are the only place where the form is written down: editors use them, the
format's reference is made from them, and the reader's walk is driven by them.
"""

from __future__ import annotations

from failure_matrix.schema.shapes import NAMES, Shape, json_schema, schema_text, shape
from failure_matrix.schema.walk import BROKEN, GUESSED, Broken, Data, walk

__all__ = ["BROKEN", "GUESSED", "NAMES", "Broken", "Data", "Shape", "json_schema", "schema_text", "shape", "walk"]
