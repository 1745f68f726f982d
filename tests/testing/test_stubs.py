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
    written = text.partition("class LSTM(_LSTM):\n")[2].partition("\nfrom ")[0]
    assert "    recurrent_dropout: Any\n" in written
    assert "    def __init__(self, units: Any, activation: Any = ..., " in written
    assert "\nConvolution2D = Conv2D\n" in text


def test_a_stub_writes_out_functions_that_are_made():
    text = stubs.stub(stubs.indexes()["twinflow.metrics"])
    assert "def mean(values: Any, weights: Any = ..., metrics_collections: " in text
    text = stubs.stub(stubs.indexes()["twinflow"])
    assert "def reduce_sum(input_tensor: TensorValue, axis: AxisValue" in text
