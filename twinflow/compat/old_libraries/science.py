"""h5py 2, PyYAML before 6, SciPy before 1.14."""

import functools

import numpy as np

from twinflow.compat.old_libraries.changing import Change


class Text(str):
    """A text that h5py 2 gave as bytes: programs decode it."""

    __slots__ = ()

    def decode(self, *_, **__):
        """The text."""
        return str(self)


def hdf5(module):
    """Texts of attributes may be decoded; `dataset.value`; files to append to."""
    return [
        Change(module.AttributeManager, {}, {"__getitem__": _decodable}),
        Change(module.Dataset, {"value": property(lambda self: self[()])}),
        Change(module.File, {"fid": property(_own_id)}, {"__init__": _to_append}),
    ]


def _own_id(file):
    return file.id


def _decodable(get):
    @functools.wraps(get)
    def wrapped(*args, **kwargs):
        return _text(get(*args, **kwargs))

    return wrapped


def _text(value):
    if type(value) is str:
        return Text(value)
    if isinstance(value, np.ndarray) and value.dtype.kind == "O" and value.size:
        texts = value.ravel().tolist()
        if all(type(v) is str and v.isascii() for v in texts):
            return np.array([v.encode() for v in texts]).reshape(value.shape)
    return value


def _to_append(init):
    @functools.wraps(init)
    def wrapped(self, name, mode=None, *args, **kwargs):
        return init(self, name, "a" if mode is None else mode, *args, **kwargs)

    return wrapped


def yaml(module):
    """`load` and `load_all` without a loader take the full one, which runs nothing."""

    def without(load):
        @functools.wraps(load)
        def wrapped(stream, Loader=module.FullLoader):
            return load(stream, Loader)

        return wrapped

    return [Change(module, {}, {"load": without, "load_all": without})]


def scipy(module):
    """NumPy's functions, which `scipy` had until 1.12."""
    found = {n: getattr(np, n) for n in np.__all__}
    functions = {n: v for n, v in found.items() if callable(v) and type(v) is not type}
    random = {n: getattr(np.random, n) for n in ("rand", "randn")}
    return [Change(module, {**functions, **random, "pi": np.pi, "inf": np.inf})]


def integrate(module):
    """The names until SciPy 1.14."""
    names = {
        "trapz": module.trapezoid, "simps": module.simpson,
        "cumtrapz": module.cumulative_trapezoid,
    }  # fmt: skip
    return [Change(module, names)]


def signal(module):
    """Windows, which have their own module since SciPy 1.8."""
    windows = module.windows
    return [Change(module, {n: getattr(windows, n) for n in windows.__all__})]


def stats(module):
    """The names of the Weibull distributions until SciPy 1.6."""
    names = {"frechet_r": module.weibull_min, "frechet_l": module.weibull_max}
    return [Change(module, names)]
