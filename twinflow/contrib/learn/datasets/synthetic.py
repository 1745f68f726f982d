"""Points of two or more classes in the plane: circles and spirals."""

from typing import Any

import numpy as np

from twinflow.contrib.learn.datasets.tables import Dataset

_RADII = {
    "archimedes": lambda angle: angle,
    "bernoulli": lambda angle: np.exp(0.1 * angle),
    "fermat": np.sqrt,
}


def _shuffled(points, labels, extra, noise):
    """The points of all classes and extra ones of class 0, with noise."""
    x = np.concatenate([*points, extra])
    y = np.concatenate([*labels, np.zeros(len(extra))]).astype(np.int32)
    order = np.random.permutation(range(len(x)))
    if noise is not None:
        x = x + np.random.normal(scale=noise, size=x.shape)
    return Dataset(data=x[order], target=y[order])


def _angles(count):
    return np.random.rand(count) * 2 * np.pi


def _spiral(radius, angle, turn):
    """The points of a spiral, each coordinate as a part of the largest one."""
    x, y = radius * np.cos(angle + turn), radius * np.sin(angle + turn)
    return np.stack([x / np.abs(x).max(), y / np.abs(y).max()], axis=1)


def circles(
    n_samples: int = 100, noise: Any = None, seed: Any = None, factor: float = 0.8,
    n_classes: int = 2, *args: Any, **kwargs: Any,
) -> Dataset:  # fmt: skip
    """Circles around one point, each class `factor` times as large as the last.

    Args:
        n_samples: how many points. noise: the standard deviation of what is added.
        seed: of NumPy's random numbers. factor: see above. n_classes: how many circles.
    Returns:
        Dataset: float64[n_samples, 2] and int32[n_samples].
    """
    if seed is not None:
        np.random.seed(seed)
    n = n_samples // n_classes
    angle = np.linspace(0, 2 * np.pi, n)
    circle = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    points = [circle * factor**label for label in range(n_classes)]
    labels = [np.full(n, label) for label in range(n_classes)]
    extra = n_samples % n_classes
    more = np.stack([np.cos(_angles(extra)), np.sin(_angles(extra))], axis=1)
    return _shuffled(points, labels, more, noise)


def spirals(
    n_samples: int = 100, noise: Any = None, seed: Any = None, mode: str = "archimedes",
    n_loops: int = 2, *args: Any, **kwargs: Any,
) -> Dataset:  # fmt: skip
    """Two spirals, one the other turned by half a circle.

    Args:
        n_samples: how many points. noise: the standard deviation of what is added.
        seed: of NumPy's random numbers. mode: "archimedes", "bernoulli" or "fermat".
        n_loops: how often a spiral goes around.
    Returns:
        Dataset: float64[n_samples, 2] and int32[n_samples].
    Raises:
        ValueError: there is no such mode.
    """
    if mode not in _RADII:
        raise ValueError(f"Cannot generate spiral with mode {mode}")
    if seed is not None:
        np.random.seed(seed)
    n = n_samples // 2
    angle = np.linspace(0, 2 * n_loops * np.pi, n)
    points = [_spiral(_RADII[mode](angle), angle, turn) for turn in (0, np.pi)]
    more = np.zeros((0, 2))
    if n_samples % 2:
        angle = _angles(1)
        more = _spiral(_RADII[mode](angle), angle, 0)
    return _shuffled(points, [np.zeros(n), np.ones(n)], more, noise)
