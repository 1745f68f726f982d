"""tf.keras.wrappers.scikit_learn: models with the methods of scikit-learn."""

import copy
import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from twinflow.keras.engine.sequential import Sequential
from twinflow.keras.losses import categorical_crossentropy
from twinflow.keras.utils.label_arrays import to_categorical

if TYPE_CHECKING:
    from twinflow.keras.callbacks.base import History


class BaseWrapper:
    """The base: makes a model by a function, and trains it.

    Args:
        build_fn: a function of settings that gives a compiled model; a subclass may
            define `__call__` instead.
        sk_params: settings of build_fn, and of fit, predict and score.
    Raises:
        ValueError: a setting is of none of these.
    """

    def __init__(self, build_fn: Any = None, **sk_params: Any) -> None:
        self.build_fn, self.sk_params = build_fn, sk_params
        self.check_params(sk_params)

    def _build(self):
        return type(self).__call__ if self.build_fn is None else self.build_fn

    def check_params(self, params: Any) -> None:
        """Raise ValueError for a setting that nothing takes."""
        steps = (Sequential.fit, Sequential.predict, Sequential.evaluate)
        known = {"nb_epoch", *_arguments(Sequential.predict_classes)}
        known |= {name for f in (*steps, self._build()) for name in _arguments(f)}
        for name in params:
            if name not in known:
                raise ValueError(f"{name} is not a legal parameter")

    def get_params(self, **params: Any) -> dict[str, Any]:
        """The settings, a dict."""
        return {**copy.deepcopy(self.sk_params), "build_fn": self.build_fn}

    def set_params(self, **params: Any) -> Any:
        """Change settings; returns self."""
        self.check_params(params)
        self.sk_params.update(params)
        return self

    def filter_sk_params(
        self, fn: Callable[..., Any], override: Any = None
    ) -> dict[Any, Any]:
        """The settings that a function takes, with those of `override`."""
        names = _arguments(fn)
        return {k: v for k, v in self.sk_params.items() if k in names} | (
            override or {}
        )

    def fit(self, x: Any, y: Any, **kwargs: Any) -> "History":
        """Make a model and train it; returns the History.

        Args:
            x, y: arrays. kwargs: as for Model.fit.
        """
        build = self._build()
        settings = self.filter_sk_params(build)
        own = self.build_fn is None
        self.model = build(self, **settings) if own else build(**settings)
        if self.model.loss in (categorical_crossentropy, "categorical_crossentropy"):
            y = to_categorical(y) if np.ndim(y) != 2 else y
        options = copy.deepcopy(self.filter_sk_params(Sequential.fit)) | kwargs
        return self.model.fit(x, y, **options)

    def _loss_and_metrics(self, x, y, kwargs):
        options = self.filter_sk_params(Sequential.evaluate, kwargs)
        found = self.model.evaluate(x, y, **options)
        found = found if isinstance(found, list) else [found]
        return dict(zip(self.model.metrics_names, found, strict=True))


class KerasClassifier(BaseWrapper):
    """A model of classes.

    Args: see BaseWrapper.
    Example:
        def make_model():
            layer = tf.keras.layers.Dense(2, "softmax", input_shape=(3,))
            model = tf.keras.Sequential([layer])
            optimizer = tf.train.GradientDescentOptimizer(0.1)
            model.compile(optimizer, "categorical_crossentropy", metrics=["accuracy"])
            return model
        wrapper = tf.keras.wrappers.scikit_learn.KerasClassifier(make_model, epochs=3)
        wrapper.fit(np.ones((4, 3)), np.array([0, 1, 0, 1]), verbose=0)
        wrapper.predict_proba(np.ones((1, 3))).shape  # (1, 2)
    """

    def fit(self, x: Any, y: Any, **kwargs: Any) -> "History":
        """Make a model and train it; `y` has classes, or a column for each.

        Raises:
            ValueError: y has another shape.
        """
        y = np.array(y)
        if y.ndim == 2 and y.shape[1] > 1:
            self.classes_ = np.arange(y.shape[1])
        elif y.ndim == 1 or (y.ndim == 2 and y.shape[1] == 1):
            self.classes_ = np.unique(y)
            y = np.searchsorted(self.classes_, y)
        else:
            raise ValueError(f"Invalid shape for y: {y.shape}")
        self.n_classes_ = len(self.classes_)
        return super().fit(x, y, **kwargs)

    def predict(self, x: Any, **kwargs: Any) -> Any:
        """The most likely class of each sample."""
        options = self.filter_sk_params(Sequential.predict_classes, kwargs)
        return self.classes_[self.model.predict_classes(x, **options)]

    def predict_proba(self, x: Any, **kwargs: Any) -> Any:
        """How likely each class is, float[samples, classes]."""
        options = self.filter_sk_params(Sequential.predict_proba, kwargs)
        found = self.model.predict(x, **options)
        return np.hstack([1 - found, found]) if found.shape[1] == 1 else found

    def score(self, x: Any, y: Any, **kwargs: Any) -> Any:
        """The share of samples that are right.

        Raises:
            ValueError: the model was compiled without the metric "accuracy".
        """
        y = np.searchsorted(self.classes_, y)
        if self.model.loss in (categorical_crossentropy, "categorical_crossentropy"):
            y = to_categorical(y) if np.ndim(y) != 2 else y
        found = self._loss_and_metrics(x, y, kwargs)
        if "acc" not in found:
            raise ValueError(
                "The model is not configured to compute accuracy. You should pass "
                '`metrics=["accuracy"]` to the `model.compile()` method.'
            )
        return found["acc"]


class KerasRegressor(BaseWrapper):
    """A model of numbers.

    Args: see BaseWrapper.
    """

    def predict(self, x: Any, **kwargs: Any) -> Any:
        """The numbers for samples."""
        options = self.filter_sk_params(Sequential.predict, kwargs)
        return np.squeeze(self.model.predict(x, **options))

    def score(self, x: Any, y: Any, **kwargs: Any) -> Any:
        """Minus the loss: larger is better."""
        return -self._loss_and_metrics(x, y, kwargs)["loss"]


def _arguments(function):
    return tuple(inspect.signature(function).parameters)
