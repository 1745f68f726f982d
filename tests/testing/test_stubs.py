"""The stubs of the public indexes are those that their tables make."""

from tests.support import stubs


def test_stubs_are_up_to_date():
    stale = [
        name
        for name, module in stubs.indexes().items()
        if not stubs.path_of(module).exists()
        or stubs.path_of(module).read_text() != stubs.stub(module)
    ]
    assert not stale, f"run `python -m tests.support.stubs`: {stale}"


def test_a_stub_says_where_a_name_lives():
    text = stubs.stub(stubs.indexes()["twinflow"])
    assert "from twinflow.ops.core.product import matmul as matmul\n" in text
    assert "from twinflow import nn as nn\n" in text
    assert "from twinflow.ops.variables.kinds import Variable as Variable\n" in text


def test_a_stub_writes_out_constructors_that_are_made():
    text = stubs.stub(stubs.indexes()["twinflow.keras.layers"])
    assert (
        "import LSTM as _LSTM\nclass LSTM(_LSTM):\n    def __init__(self, units, "
        in text
    )
    assert "\nConvolution2D = Conv2D\n" in text


def test_a_stub_writes_out_functions_that_are_made():
    text = stubs.stub(stubs.indexes()["twinflow.metrics"])
    assert "def mean(values, weights=..., metrics_collections=..., " in text
