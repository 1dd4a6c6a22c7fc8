"""Which words are one slip apart, asked of the usual distance (Damerau and Levenshtein's, restricted) as an oracle."""

from __future__ import annotations

from itertools import product

from failure_matrix.nearest import is_slip, slip_of


def distance(a: str, b: str) -> int:
    table = [[row + column for column in range(len(b) + 1)] for row in range(len(a) + 1)]
    for row, column in product(range(1, len(a) + 1), range(1, len(b) + 1)):
        steps = [
            table[row - 1][column] + 1,
            table[row][column - 1] + 1,
            table[row - 1][column - 1] + (a[row - 1] != b[column - 1]),
        ]
        if row > 1 and column > 1 and a[row - 2 : row] == b[column - 1] + b[column - 2]:
            steps.append(table[row - 2][column - 2] + 1)
        table[row][column] = min(steps)
    return table[-1][-1]


def test_a_slip_is_a_distance_of_one() -> None:
    words = ["".join(letters) for length in range(5) for letters in product("abc", repeat=length)]
    for word, other in product(words, words):
        assert is_slip(word, other) == (distance(word, other) == 1), (word, other)


def test_a_word_is_meant_only_if_no_other_can_be() -> None:
    assert slip_of("claimm", ["claim", "cancel"]) == "claim"
    assert slip_of("claima", ["claim", "claims"]) == ""
    assert slip_of("canel", ["claim"]) == ""
    assert slip_of("doo", ["do"]) == ""
