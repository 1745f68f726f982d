"""Every op against the table of op cases; see tests/support/op_checks.py."""

import pytest

from tests.support import op_checks
from tests.support.op_cases.table import CASES, case, covered_ops, floats
from twinflow.base.op import registry
from twinflow.base.op_lookup import load_all

load_all()

every_row = pytest.mark.parametrize("row", CASES, ids=str)


@every_row
def test_kernel_gives_the_reference(row):
    op_checks.check_forward(row)


@every_row
def test_infer_gives_the_real_shape(row):
    op_checks.check_infer(row)


@every_row
def test_gradients_are_slopes(row):
    op_checks.check_gradient(row)


@pytest.mark.parametrize("row", [c for c in CASES if c.errors], ids=str)
def test_errors_say_what_is_wrong(row):
    op_checks.check_errors(row)


def test_every_op_has_a_row():
    missing = sorted(set(registry) - covered_ops())
    assert not missing, f"ops without a row in tests/support/op_cases/: {missing}"


def test_no_row_is_of_an_unknown_op():
    assert covered_ops() <= set(registry)


def test_a_tolerance_needs_a_reason():
    with pytest.raises(ValueError, match="without a reason"):
        case("Tanh", floats(3), reference=abs, tol={"float32": 1.0})
