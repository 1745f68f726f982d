"""The applications that are compared with TensorFlow 1.12, and what is compared.

Used there by make_applications.py and here by test_applications.py: it takes the module
`tf` of either.
"""

import hashlib
import json

import numpy as np

# name: (function, arguments, whether its outputs are compared)
ROWS = {
    "densenet121": ("DenseNet121", {"input_shape": [32, 32, 3], "classes": 10}, True),
    "densenet169": ("DenseNet169", {"include_top": False, "pooling": "max"}, False),
    "densenet201": ("DenseNet201", {"input_shape": [32, 32, 1]}, False),
    "inception_resnet_v2": ("InceptionResNetV2", {"classes": 7}, False),
    "inception_resnet_v2_top": (
        "InceptionResNetV2",
        {"input_shape": [75, 76, 3], "include_top": False, "pooling": "avg"},
        True,
    ),
    "inception_v3": ("InceptionV3", {"input_shape": [75, 80, 3]}, True),
    "inception_v3_top": ("InceptionV3", {"include_top": False}, False),
    "mobilenet": ("MobileNet", {"alpha": 0.5}, False),
    "mobilenet_small": (
        "MobileNet",
        {"input_shape": [32, 48, 3], "alpha": 0.25, "depth_multiplier": 2},
        True,
    ),
    "mobilenet_v2": ("MobileNetV2", {}, False),
    "mobilenet_v2_small": (
        "MobileNetV2",
        {"input_shape": [33, 40, 3], "alpha": 0.35, "classes": 10},
        True,
    ),
    "mobilenet_v2_wide": (
        "MobileNetV2",
        {"include_top": False, "alpha": 1.4, "pooling": "max"},
        False,
    ),
    "nasnet_large": ("NASNetLarge", {"classes": 5}, False),
    "nasnet_mobile": (
        "NASNetMobile",
        {"input_shape": [32, 37, 3], "include_top": False, "pooling": "avg"},
        True,
    ),
    "resnet50": ("ResNet50", {}, False),
    "resnet50_small": (
        "ResNet50",
        {"input_shape": [32, 39, 3], "include_top": False, "pooling": "avg"},
        True,
    ),
    "vgg16": ("VGG16", {}, False),
    "vgg16_small": (
        "VGG16",
        {"input_shape": [32, 32, 3], "include_top": False},
        True,
    ),
    "vgg19": ("VGG19", {"input_shape": [64, 32, 3], "classes": 10}, False),
    "xception": ("Xception", {"classes": 10}, False),
    "xception_small": (
        "Xception",
        {"input_shape": [71, 72, 3], "include_top": False, "pooling": "max"},
        True,
    ),
}
LARGE = (
    "densenet169",
    "densenet201",
    "inception_resnet_v2",
    "inception_resnet_v2_top",
    "inception_v3_top",
    "nasnet_large",
)


def made(tf, name):
    """The model of a row."""
    function, arguments, _ = ROWS[name]
    arguments = dict(arguments, weights=None)
    if "input_shape" in arguments:
        arguments["input_shape"] = tuple(arguments["input_shape"])
    return getattr(tf.keras.applications, function)(**arguments)


def plain(x):
    """A value as JSON holds it, but for code."""
    if isinstance(x, dict):
        return {k: plain(v) for k, v in x.items() if k not in ("function", "module")}
    if isinstance(x, (list, tuple)):
        return [plain(v) for v in x]
    return x.tolist() if isinstance(x, (np.generic, np.ndarray)) else x


def described(tf, layer):
    """A layer: name, class, shape, settings, what it is called on."""
    before = [x.name for node in layer._inbound_nodes for x in node.inbound_layers]
    shape = tf.TensorShape(layer.output_shape).as_list()
    config = plain(layer.get_config())
    if "function_type" in config:  # a saved model here holds a name, there bytecode
        config["function_type"] = "lambda"
    return [layer.name, type(layer).__name__, shape, config, before]


def digest(x):
    """A hash of what JSON holds."""
    return hashlib.sha1(json.dumps(x, sort_keys=True).encode()).hexdigest()[:16]


def facts(tf, model):
    """What is the same in both programs, short."""
    lines = []
    model.summary(print_fn=lines.append)
    weights = [[w.name, w.shape.as_list()] for w in model.weights]
    return {
        "name": model.name,
        "layers": [len(model.layers), digest([described(tf, x) for x in model.layers])],
        "weights": [len(weights), digest(weights)],
        "trained": digest([w.name for w in model.trainable_weights]),
        "parameters": model.count_params(),
        "summary": digest([line.rstrip() for line in lines]),
        "ends": [
            tf.TensorShape(t.shape).as_list() for t in (model.input, model.output)
        ],
    }


def tensors(model):
    """The names of the layers' outputs in a graph, short."""
    return digest([layer.output.name for layer in model.layers])


def values(model):
    """Weights by a formula, of a size at which numbers neither vanish nor explode."""
    pool = np.random.RandomState(1).standard_normal(9973).astype(np.float32)
    found = []
    for i, w in enumerate(w for layer in model.layers for w in layer.weights):
        shape, kind = w.shape.as_list(), w.name.split("/")[-1].split(":")[0]
        size = int(np.prod(shape))
        value = np.resize(np.roll(pool, 37 * i), size).reshape(shape)
        if "kernel" in kind:
            fan_in = np.prod(shape[:2] if kind == "depthwise_kernel" else shape[:-1])
            found.append(value * np.float32((2.0 / fan_in) ** 0.5))
        elif kind in ("gamma", "moving_variance"):
            found.append(1 + 0.1 * np.abs(value))
        else:
            found.append(0.1 * value)
    return found


def images(model):
    """One image for a model."""
    shape = [2] + model.input.shape.as_list()[1:]
    return np.random.RandomState(2).uniform(-1, 1, shape).astype(np.float32)


def outputs(model):
    """A few numbers that come of `values` and `images`."""
    model.set_weights(values(model))
    y = model.predict(images(model)).reshape(2, -1)
    return y[:, :: max(1, y.shape[1] // 6)].tolist()
