"""Every public layer as StableHLO: plain jax and what is read back give the same."""

import pytest
from jax import export

import twinflow as tf
from tests.interchange.layer_cases import CASES, close, model_of
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


def test_a_layer_that_writes_is_refused(tmp_path):
    with eager():
        model, _ = model_of(WRITES)
        with pytest.raises(tf.errors.UnimplementedError, match="writes to a variable"):
            tf.stablehlo.export(model, tmp_path / "layer.stablehlo")


def _flat(found):
    return tf.contrib.framework.nest.flatten(found)
