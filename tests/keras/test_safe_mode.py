"""Models from elsewhere run no code unasked; see Note [Safe mode]."""

import copy
import json
import marshal
import pickle

import numpy as np
import pytest

import twinflow as tf
from tests.children import words_of

K = tf.keras
RAN: list = []


def note(x):
    """What would be the doing of somebody else's file."""
    RAN.append(x)
    return x


def model_with(function, **options):
    layer = K.layers.Lambda(function, name="doubt", **options)
    return K.Sequential([K.layers.Dense(2, input_shape=(3,)), layer])


def from_json(config, **options):
    return K.models.model_from_json(json.dumps(config), **options)


def nested(config):
    """A model whose Lambda lies in a TimeDistributed in a Bidirectional in a model."""
    inner = {"class_name": "Lambda", "config": config}
    wrapped = {"name": "t", "layer": inner}
    layer = {"class_name": "TimeDistributed", "config": wrapped}
    return {"class_name": "Sequential", "config": {"name": "s", "layers": [layer]}}


def settings_of(function):
    text = model_with(function).to_json()
    return json.loads(text)["config"]["layers"][1]["config"]


WAYS = {
    "model_from_json": lambda c, **o: from_json(nested(c), **o),
    "model_from_config": lambda c, **o: K.models.model_from_config(nested(c), **o),
    "Sequential": lambda c, **o: K.Sequential.from_config(nested(c)["config"], **o),
    "Lambda": lambda c, **o: K.layers.Lambda.from_config(c, **o),
    "TimeDistributed": lambda c, **o: K.layers.TimeDistributed.from_config(
        nested(c)["config"]["layers"][0]["config"], **o
    ),
}


@pytest.mark.parametrize("way", WAYS)
def test_bytecode_is_taken_only_on_demand(way, monkeypatch):
    config = settings_of(lambda x: note(x))
    with pytest.raises(ValueError, match=r"(?s)'doubt'.*bytecode.*safe_mode=False"):
        WAYS[way](config)
    with pytest.raises(ValueError, match="TWINFLOW_SAFE_MODE=0"):
        WAYS[way](config, safe_mode=True)
    WAYS[way](config, safe_mode=False)
    monkeypatch.setenv("TWINFLOW_SAFE_MODE", "0")
    WAYS[way](config)
    with pytest.raises(ValueError, match="bytecode"):
        WAYS[way](config, safe_mode=True)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("os", "system"), ("builtins", "eval"), ("subprocess", "run"),
        ("twinflow.ops.files", "write_file"), ("twinflow.execute.py_func", "py_func"),
        ("twinflow.ops.core.elementwise", "np"),
        ("twinflow.ops.math", "elementwise.np"),
        ("twinflow.ops.core.elementwise", "__loader__"), (__name__, "note"),
        (None, "print"), (["os"], "system"),
    ],
)  # fmt: skip
def test_names_are_those_of_this_package_and_registered_ones(way, module, name):
    config = settings_of(lambda x: x)
    config |= {"function": name, "module": module, "function_type": "function"}
    with pytest.raises(ValueError, match=r"'doubt'.*the name of a function"):
        WAYS[way](config)


def test_registered_functions_are_found_by_name():
    config = settings_of(lambda x: x)
    config |= {"function": "note", "module": __name__, "function_type": "function"}
    for options in ({"custom_objects": {"note": note}}, {"safe_mode": False}):
        assert from_json(nested(config), **options).layers[0].layer.function is note
    with K.utils.custom_object_scope({"note": note}):
        assert from_json(nested(config)).layers[0].layer.function is note


@pytest.mark.parametrize("key", ["function", "output_shape"])
def test_every_function_of_a_lambda_is_asked_for(key):
    config = settings_of(tf.abs)
    bytecode = settings_of(lambda x: x)["function"]
    config |= {key: bytecode, f"{key}_type": "lambda"}
    with pytest.raises(ValueError, match="bytecode"):
        K.layers.Lambda.from_config(config)


PUBLIC = [
    tf.nn.relu, tf.abs, tf.reduce_sum, tf.nn.softmax, tf.reshape, tf.nn.l2_normalize,
    K.backend.square, K.backend.batch_flatten, K.activations.hard_sigmoid,
]  # fmt: skip


@pytest.mark.parametrize("function", PUBLIC)
def test_functions_of_this_package_travel_by_name(function):
    arguments = {"shape": [-1, 1]} if function is tf.reshape else {}
    text = model_with(function, arguments=arguments).to_json()
    assert K.models.model_from_json(text).layers[-1].function is function


def test_all_of_the_applications_models_are_data():
    model = K.applications.InceptionResNetV2(
        weights=None, include_top=False, input_shape=(75, 75, 3)
    )
    again = K.models.model_from_json(model.to_json())
    assert len(again.layers) == len(model.layers)


def test_settings_that_never_left_the_process_are_not_asked_about(eager):
    scale = 3.0
    model = model_with(lambda x: x * scale, output_shape=lambda s: s)
    config = copy.deepcopy(model.get_config())
    for again in (
        K.models.clone_model(model), K.Sequential.from_config(config),
        K.models.model_from_config({"class_name": "Sequential", "config": config}),
    ):  # fmt: skip
        again.set_weights(model.get_weights())
        x = np.ones([2, 3], np.float32)
        np.testing.assert_array_equal(again.predict(x), model.predict(x))
    lambdas = pickle.loads(pickle.dumps(config))["layers"][1]["config"]
    with pytest.raises(ValueError, match="bytecode"):
        K.layers.Lambda.from_config(lambdas)


def test_a_file_of_another_process_is_asked_about(tmp_path):
    path = str(tmp_path / "m.h5")
    code = (
        "import twinflow as tf\nK = tf.keras\nmodel = K.Sequential([K.layers.Lambda("
        f"lambda x: x * 2, input_shape=(3,), name='doubt')])\nmodel.save({path!r})"
    )
    words_of(code)
    with pytest.raises(ValueError, match=r"(?s)'doubt'.*m\.h5.*safe_mode=False"):
        K.models.load_model(path)
    model = K.models.load_model(path, safe_mode=False)
    x = np.ones([1, 3], np.float32)
    np.testing.assert_array_equal(model.predict(x), 2 * x)


def test_bytecode_of_another_python_is_an_error_of_its_own():
    config = settings_of(lambda x: x)
    for code in ("", "AAAA", "!!", config["function"][0][:40]):
        config["function"][0] = code
        with pytest.raises(ValueError, match=r"'doubt'.*another version wrote it"):
            K.layers.Lambda.from_config(config, safe_mode=False)
    assert marshal.version  # what the code is written with


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000, '{"class_name":"Sequential","config":' * 3000, "", "[]", "3",
        '{"class_name": "Input", "config": {}}', '{"class_name": [], "config": {}}',
        '{"class_name": "load_model", "config": {}}',
        '{"class_name": "__getattr__", "config": {}}',
        '{"class_name": "Sequential", "config": {}}',
        '{"class_name": "Model", "config": {"layers": [{}]}}',
        '{"class_name": "Sequential", "config": [{"class_name": "Dense"}]}',
    ],
)  # fmt: skip
def test_settings_that_are_none_are_value_errors(text):
    with pytest.raises(ValueError, match="settings"):
        K.models.model_from_json(text)


def test_errors_of_the_users_own_layers_stay(tmp_path):
    class Mine(K.layers.Layer):
        @classmethod
        def from_config(cls, config):
            raise KeyError("mine")

    config = {"class_name": "Mine", "config": {}}
    with pytest.raises(KeyError, match="mine"):
        from_json(config, custom_objects={"Mine": Mine})
