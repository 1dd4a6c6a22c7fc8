"""The few reasons why a command cannot go on. Anything an author can mend is a `Problem` instead."""

from __future__ import annotations


class CannotGoOn(Exception):
    """Base of the exceptions of this package. The message is one or two sentences for the user."""


class NoMatrix(CannotGoOn):
    """The folder does not exist or holds no matrix."""


class NoEngine(CannotGoOn):
    """No Graphviz program was found or the one that was found does not run."""


class NoDatabase(CannotGoOn):
    """No PostgreSQL server could be started or reached."""


class BadConfiguration(CannotGoOn):
    """An option of the command line or of the MkDocs configuration has no usable value."""


class BadTemplate(CannotGoOn):
    """A template is missing or wrong. The message names its file and line."""
