"""tensorflow.python.util.tf_export: notes which public names something has."""

import sys
from collections import namedtuple

from twinflow.compat.door.decorators import unwrap

ESTIMATOR_API_NAME, TENSORFLOW_API_NAME = "estimator", "tensorflow"
_Attributes = namedtuple("ExportedApiAttributes", "names constants")
API_ATTRS = {
    TENSORFLOW_API_NAME: _Attributes("_tf_api_names", "_tf_api_constants"),
    ESTIMATOR_API_NAME: _Attributes("_estimator_api_names", "_estimator_api_constants"),
}
API_ATTRS_V1 = {
    TENSORFLOW_API_NAME: _Attributes("_tf_api_names_v1", "_tf_api_constants_v1"),
    ESTIMATOR_API_NAME: _Attributes(
        "_estimator_api_names_v1", "_estimator_api_constants_v1"
    ),
}


class SymbolAlreadyExposedError(Exception):
    """A symbol has got its names twice."""


class api_export:
    """A decorator that notes the public names of a function or class.

    Args:
        args: the names. v1: those of the first version, where they are others.
        overrides: symbols that had the names before. api_name: of which package.
    """

    def __init__(self, *args, **kwargs):
        self._names, self._overrides = args, kwargs.get("overrides", [])
        self._names_v1 = kwargs.get("v1", args)
        self._api_name = kwargs.get("api_name", TENSORFLOW_API_NAME)

    def __call__(self, func):
        for other in self._overrides:
            delattr(unwrap(other)[1], API_ATTRS[self._api_name].names)
        target, name = unwrap(func)[1], API_ATTRS[self._api_name].names
        for attribute, names in (
            (name, self._names), (API_ATTRS_V1[self._api_name].names, self._names_v1),
        ):  # fmt: skip
            if attribute in vars(target):
                raise SymbolAlreadyExposedError(
                    f"Symbol {target.__name__} is already exposed as "
                    f"{getattr(target, attribute)}."
                )
            setattr(target, attribute, names)
        return func

    def export_constant(self, module_name, name):
        """Note the names of a constant of a module."""
        module = sys.modules[module_name]
        for attributes, names in (
            (API_ATTRS, self._names), (API_ATTRS_V1, self._names_v1),
        ):  # fmt: skip
            kept = attributes[self._api_name].constants
            if not hasattr(module, kept):
                setattr(module, kept, [])
            getattr(module, kept).append((names, name))


class tf_export(api_export):
    """As api_export, of TensorFlow's own names."""


class estimator_export(api_export):
    """As api_export, of the names of the package of estimators."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, api_name=ESTIMATOR_API_NAME, **kwargs)


def get_canonical_name_for_symbol(symbol, *args, **kwargs):
    """The first public name that `tf_export` noted, or None."""
    return next(iter(getattr(unwrap(symbol)[1], "_tf_api_names", ())), None)
