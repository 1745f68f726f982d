"""What IPython completes: names of the public indexes, and keys of dicts."""

import ast

import numpy as np
import pytest

import twinflow as tf
from tests.source_tree import ROOT, TOP
from twinflow.base import dispatch
from twinflow.eager.mode import MODE

LT = tf.contrib.labeled_tensor


def elements():
    rows = {"image": np.ones((2, 3)), "label": np.ones(2)}
    return next(iter(tf.data.Dataset.from_tensor_slices(rows)))


def history():
    found = tf.keras.callbacks.History()
    found.on_train_begin()
    found.on_epoch_end(0, {"image_loss": 1.0, "label_loss": 2.0})
    return found.history


def axes():
    tensor = LT.LabeledTensor(tf.ones([2, 3]), ["image", "label"])
    return tensor.axes


def mapping():
    return tf.contrib.checkpoint.Mapping(
        image=tf.train.Checkpoint(), label=tf.train.Checkpoint()
    )


@pytest.mark.parametrize("make", [elements, history, axes, mapping])
def test_keys(make):
    completer = pytest.importorskip("IPython.core.completer")
    with dispatch.entered(MODE):
        found = completer.IPCompleter(namespace={"d": make()})
        with completer.provisionalcompleter():
            texts = [c.text for c in found.completions("d['", 3)]
    assert [t[:5] for t in texts[:2]] == ["image", "label"]


def test_each_class_with_keys_tells_them():
    missing = []
    for path in sorted((ROOT / TOP).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ClassDef):
                methods = {f.name for f in node.body if isinstance(f, ast.FunctionDef)}
                maps = any("Mapping" in ast.unparse(base) for base in node.bases)
                if maps or {"keys", "__getitem__"} <= methods:
                    told = "_ipython_key_completions_" in methods
                    missing += [] if told else [f"{path.name}: {node.name}"]
    assert missing == []


def test_names_of_indexes():
    for module, name in [(tf, "keras"), (tf.nn, "relu"), (tf.contrib, "layers")]:
        assert name in dir(module)
    assert {"batch", "map"} <= {*dir(tf.data.Dataset)}
