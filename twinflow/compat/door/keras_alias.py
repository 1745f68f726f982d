"""`import keras`, where no Keras is installed: that of TensorFlow.

Programs of 2017 and 2018 imported Keras 2 beside TensorFlow, by paths that tf.keras has
not; they are led to the modules that have the names.
"""

import importlib.abc
import importlib.util
import pkgutil
import types

VERSION = "2.1.6-tf"  # what TensorFlow 1.12 says of its Keras
_INSIDE = {
    "layers.core", "layers.convolutional", "layers.recurrent", "layers.normalization",
    "layers.advanced_activations", "layers.embeddings", "layers.pooling",
    "layers.merge", "layers.wrappers", "layers.noise", "layers.local",
    "layers.convolutional_recurrent", "layers.cudnn_recurrent", "utils.np_utils",
    "utils.generic_utils", "utils.vis_utils", "utils.data_utils", "utils.io_utils",
    "utils.layer_utils", "utils.training_utils", "backend.tensorflow_backend",
    "backend.common",
}  # fmt: skip
_ELSEWHERE = {
    "objectives": ["losses"],
    "engine": ["layers", "models"], "engine.topology": ["layers", "models"],
    "engine.base_layer": ["layers"], "engine.training": ["models"],
    "engine.input_layer": ["layers"], "engine.network": ["models"],
    "engine.sequential": ["models"],
}  # fmt: skip


def _homes(inner):
    """The modules below tensorflow.keras that have the names of a path of Keras."""
    if inner in _INSIDE:
        return [inner.rpartition(".")[0]]
    return _ELSEWHERE.get(inner, [inner])


class KerasModule(types.ModuleType):
    """A module of Keras whose names are those of TensorFlow's."""

    def __getattr__(self, name):
        if name[:2] == "__":
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        for home in self._modules:
            if hasattr(home, name):
                return getattr(home, name)
        raise AttributeError(
            f"module {self.__name__!r} has no attribute {name!r}: it is TensorFlow's "
            "Keras, because no Keras is installed"
        )

    def __dir__(self):
        return sorted({n for home in self._modules for n in dir(home)})


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Stands last, so that a Keras that is installed goes first."""

    def find_spec(self, name, path=None, target=None):
        if name != "keras" and not name.startswith("keras."):
            return None
        try:
            _modules(name)
        except (ImportError, AttributeError):
            return None
        return importlib.util.spec_from_loader(name, self, is_package=True)

    def create_module(self, spec):
        made = KerasModule(spec.name, "TensorFlow's Keras, served by twinflow.")
        vars(made).update(_modules=_modules(spec.name), __version__=VERSION)
        return made

    def exec_module(self, module):
        names = [n for home in module._modules for n in getattr(home, "__all__", ())]
        vars(module)["__all__"] = sorted(set(names))


def _modules(name):
    homes = _homes(name.partition(".")[2])
    paths = [f"tensorflow.keras.{h}".rstrip(".") for h in homes]
    return [pkgutil.resolve_name(path) for path in paths]


FINDER = Finder()
