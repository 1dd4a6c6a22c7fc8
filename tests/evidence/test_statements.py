"""Parameters are filled in as literals, and only where they stand outside strings and comments."""

import pytest

from failure_matrix.evidence import statements


@pytest.mark.parametrize(
    ("value", "literal"),
    [
        (1, "1"),
        (None, "null"),
        (True, "true"),
        ("it's", "'it''s'"),
        ("\\", "'\\'"),
        ([1, 2], "'{1,2}'"),
        ([], "'{}'"),
        (['a "b"', None], """'{"a \\"b\\"",null}'"""),
    ],
)
def test_literals(value, literal):
    assert statements.literal(value) == literal


def test_parameters_in_strings_and_comments_are_no_parameters():
    sql = "select '%(a)s', \"%(a)s\", $x$ %(a)s $x$, %(a)s -- %(a)s\n/* %(a)s */"
    assert statements.bind(sql, {"a": 1}) == "select '%(a)s', \"%(a)s\", $x$ %(a)s $x$, 1 -- %(a)s\n/* %(a)s */"
    assert statements.parameters_in(sql) == ("a",)


def test_a_parameter_without_a_value_is_named():
    with pytest.raises(statements.MissingParameter, match="`generation` has no value"):
        statements.bind("select %(generation)s", {"job": 1})
    with pytest.raises(statements.MissingParameter, match="`generation` has no value"):
        statements.fill("exports/{job}/{generation}", {"job": 1})


def test_paths_are_filled_in():
    assert statements.fill("exports/{job}/{generation}", {"job": 1, "generation": 2}) == "exports/1/2"


def test_statements_are_told_apart():
    assert statements.split("begin; insert into t values (';');\n select $$;$$ ; ") == (
        "begin",
        "insert into t values (';')",
        "select $$;$$",
    )


def test_one_line_keeps_the_blanks_of_strings():
    assert statements.one_line("select 'a  b',\n       1\n") == "select 'a  b', 1"
