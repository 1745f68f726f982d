"""The stubs of the public indexes are those that their tables make."""

from tests.support import stubs


def test_stubs_are_up_to_date():
    stale = [
        name for name, path, text in stubs.written_stubs()
        if not path.exists() or path.read_text() != text
    ]  # fmt: skip
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


def test_a_second_name_is_that_of_the_first_stub():
    texts = {name: text for name, _, text in stubs.written_stubs()}
    assert "\ndef exp(x: TensorValue" in texts["twinflow"]
    assert "from twinflow import exp as exp\n" in texts["twinflow.math"]


def test_messages_have_their_fields():
    texts = {name: text for name, _, text in stubs.written_stubs()}
    config = texts["twinflow.formats.protos"].partition("class ConfigProto(Message):")[
        2
    ]
    assert "    allow_soft_placement: bool\n    log_device_placement: bool\n" in config
    assert "    gpu_options: GPUOptions\n" in config.partition("\nclass ")[0]
