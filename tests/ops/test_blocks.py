"""The blocks of ops state what only they know."""

import pytest

from tests.children import words_of
from tests.support.restated import PROGRAM, restated
from twinflow.base.dtypes import float32
from twinflow.base.op import ADDABLE, FLOAT, Op
from twinflow.ops.core.infer import same


def test_no_block_restates_the_op_def():
    wrong = words_of(PROGRAM)
    assert not wrong, "the OpDef says it: " + "\n".join(wrong)


@pytest.mark.parametrize(
    ("line", "facts", "expected"),
    [
        ("Erfc(x: T) -> (y: T)", {}, ["signature"]),
        ("Erfc", {}, []),
        ("TwinTie(x: T) -> (y: T)", {"types": FLOAT}, []),
        ("Erfc", {"types": FLOAT}, ["types:T"]),
        ("Erfc", {"types": {"T": ADDABLE}}, []),
        ("Unique", {"attrs": {"out_idx": float32}}, []),
        ("MatrixSolve", {"attrs": {"adjoint": False}}, ["attrs:adjoint"]),
        ("MatrixSolve", {"attrs": {"adjoint": True, "ours": None}}, []),
        (
            "MatrixSolve(matrix: T, rhs: T) -> (output: T); adjoint=True",
            {},
            ["signature"],
        ),
        ("MatrixSolve(matrix: T, rhs: host T) -> (output: T)", {}, ["signature"]),
        ("MatrixSolve(matrix: T, rhs: S) -> (output: T)", {}, []),
    ],
)
def test_a_planted_fact_is_found(line, facts, expected):
    made = Op(line, same, **facts)
    assert restated(made, line, **facts) == expected
