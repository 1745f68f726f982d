"""Matplotlib of 2018: what 3.1 to 3.9 took away."""

import functools

import numpy as np

from twinflow.compat.old_libraries.changing import Change


def matplotlib(module):
    """`use(backend, warn=False)`."""

    def use(before):
        @functools.wraps(before)
        def wrapped(backend, warn=True, *, force=True):
            return before(backend, force=force)

        return wrapped

    return [Change(module, {}, {"use": use})]


def mlab(module):
    """`normpdf`."""

    def normpdf(x, mu, sigma):
        z = (np.asarray(x) - mu) / sigma
        return np.exp(-0.5 * z * z) / (np.sqrt(2 * np.pi) * sigma)

    return [Change(module, {"normpdf": normpdf})]


def colors(module):
    """`get_cmap`, and maps with other names today."""

    maps = module._colormaps  # as `matplotlib.colormaps`, which comes later

    def get_cmap(name=None, lut=None):
        found = name if hasattr(name, "resampled") else maps[name or "viridis"]
        return found if lut is None else found.resampled(lut)

    renamed = {"spectral": "nipy_spectral", "Vega10": "tab10", "Vega20": "tab20"}
    renamed = {old: maps[new] for old, new in renamed.items()}
    return [Change(module, {"get_cmap": get_cmap, **renamed})]


def figures(module):
    """`figure.gca(projection="3d")`."""

    def gca(before):
        @functools.wraps(before)
        def wrapped(self, **kwargs):
            return self.add_subplot(**kwargs) if kwargs else before(self)

        return wrapped

    return [Change(module.Figure, {}, {"gca": gca})]


def axes(module):
    """`hold`, which is always on, and the background under its old name."""
    methods = {
        "hold": lambda self, b=None: None,
        "set_axis_bgcolor": lambda self, color: self.set_facecolor(color),
        "get_axis_bgcolor": lambda self: self.get_facecolor(),
    }
    return [Change(module.Axes, methods)]


def pyplot(module):
    """`hold` and `ishold`; limits as xmin, xmax, ymin and ymax."""
    names = {"hold": lambda b=None: None, "ishold": lambda: True}
    limits = {"xlim": _limits("x"), "ylim": _limits("y")}
    return [Change(module, names, limits)]


def _limits(axis):
    ends = {f"{axis}min": ("left", "bottom"), f"{axis}max": ("right", "top")}
    renamed = {old: new[axis == "y"] for old, new in ends.items()}

    def around(before):
        @functools.wraps(before)
        def wrapped(*args, **kwargs):
            named = {renamed.get(n, n): v for n, v in kwargs.items()}
            return before(*args, **named)

        return wrapped

    return around
