"""Every public layer as StableHLO: plain jax and what is read back give the same."""

import numpy as np
import pytest
from jax import export

import twinflow as tf
from tests.interchange.layer_cases import CASES, FUNCTIONS, close, model_of
from tests.ways import eager

WRITES = "lstm_stateful"
PARTS = 4  # XLA compiles the programs of many layers at once in less time


@pytest.mark.parametrize("part", range(PARTS))
def test_layers(part, tmp_path):
    path = tmp_path / "layers.stablehlo"
    with eager():
        names = sorted(set(CASES) - {WRITES})[part::PARTS]
        models = {name: model_of(name) for name in names}
        flat = [a for _, arrays in models.values() for a in arrays]

        def every(*given):
            given, found = iter(given), {}
            for name, (model, arrays) in models.items():
                own = [next(given) for _ in arrays]
                found[name] = model(own[0] if len(own) == 1 else own)
            return found

        specs = [tf.TensorSpec(a.shape, a.dtype) for a in flat]
        tf.stablehlo.export(every, path, specs, platforms=["cpu"], vjp_order=0)
        wanted = every(*map(tf.constant, flat))
        read = tf.stablehlo.load(path)(*flat)
    plain = export.deserialize(bytearray(path.read_bytes())).call(*flat)
    for name in names:
        for found in (plain[name], read[name]):
            pairs = zip(_flat(found), _flat(wanted[name]), strict=True)
            for a, b in pairs:
                close(a, b)


def test_functions_of_layers(tmp_path):
    path = tmp_path / "functions.stablehlo"
    random = np.random.RandomState(0)
    with tf.Graph().as_default(), tf.Session() as session:
        inputs, outputs, given = [], {}, []
        for name, (shape, call) in FUNCTIONS.items():
            x = tf.placeholder(tf.float32, [2, *shape], "x")
            outputs[name] = call(getattr(tf.layers, name, None), x)
            inputs.append(x)
            given.append(random.randn(2, *shape).astype("f4"))
        session.run(tf.global_variables_initializer())
        wanted = session.run(outputs, dict(zip(inputs, given, strict=True)))
        tf.stablehlo.export(session, path, inputs=inputs, outputs=outputs, vjp_order=0)
        read = session.run(tf.stablehlo.load(path)(*given))
    plain = export.deserialize(bytearray(path.read_bytes())).call(*given)
    for name, value in wanted.items():
        close(plain[name], value)
        close(read[name], value)


def test_a_layer_that_writes_is_refused(tmp_path):
    with eager():
        model, _ = model_of(WRITES)
        with pytest.raises(tf.errors.UnimplementedError, match="writes to a variable"):
            tf.stablehlo.export(model, tmp_path / "layer.stablehlo")


def _flat(found):
    return tf.contrib.framework.nest.flatten(found)
