"""The base of Keras's optimizers: rules that update variables against gradients.

Note [Keras optimizers]: a rule says in `_new` what a variable and its slots become. In
a graph `get_updates` makes the nodes; in eager mode `apply_gradients` updates at once,
or inside the function that a training step is.
"""

from typing import Any

from twinflow.base import dispatch
from twinflow.base.advice import advised
from twinflow.base.dispatch import current_mode
from twinflow.base.tensor import Tensor
from twinflow.keras.backend import defaults, sessions, variables
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.math.clip import clip_by_norm, clip_by_value
from twinflow.ops.variables import state

_NO_GRADIENT = (
    "An operation has `None` for gradient. Please make sure that all of your ops have "
    "a gradient defined (i.e. are differentiable). Common ops without gradient: "
    "K.argmax, K.round, K.eval."
)


class Optimizer:
    """The base of Keras's optimizers.

    Args:
        clipnorm: gradients are scaled to at most this norm.
        clipvalue: entries of gradients are kept within +- this.
    Raises:
        TypeError: an argument is not known.
        ValueError: a limit is negative.
    """

    weights: list[Any]
    updates: list[Any]

    slots: tuple[Any, ...] = ()  # the names of what is kept for each variable
    listed: tuple[str, ...] = ()  # the names in `get_config`, if not in the order above
    counted = True  # whether `weights` begin with the number of steps
    numbers: tuple[Any, ...] = ()  # settings that are variables
    plain: tuple[Any, ...] = ()  # settings that are not

    def __init__(self, **kwargs: Any) -> None:
        for key in kwargs:
            if key not in ("clipnorm", "clipvalue"):
                raise TypeError(
                    f"Unexpected keyword argument passed to optimizer: {key}"
                )
            if kwargs[key] < 0:
                raise ValueError(f"Expected {key} >= 0, received: {kwargs[key]}")
        self.__dict__.update(kwargs)
        self.updates, self.weights = [], []
        self._for: tuple[Any, ...] = ()  # the variables that the slots belong to
        self.initial_decay = 0.0

    def _keep(self, **settings):
        """Make variables of the settings in `numbers`, attributes of the others."""
        with variables.name_scope(type(self).__name__):
            self.iterations = variables.variable(0, dtype="int64", name="iterations")
            for name in self.numbers:
                setattr(self, name, variables.variable(settings[name], name=name))
        for name in self.plain:
            setattr(self, name, settings[name])
        if settings.get("epsilon", 0) is None:
            self.epsilon = defaults.epsilon()
        self.initial_decay = settings.get("decay", 0.0)

    # ------------------------------------------------------------------ steps
    def get_gradients(self, loss: Any, params: Any) -> list[Tensor]:
        """The gradients of a loss in a graph, within the limits.

        Raises:
            ValueError: a variable has none.
        """
        grads = variables.gradients(loss, params)
        if any(g is None for g in grads):
            raise ValueError(_NO_GRADIENT)
        return [self._clipped(g) for g in grads]

    def _clipped(self, grad):
        grad = convert_to_tensor(grad)
        if getattr(self, "clipnorm", 0):
            grad = clip_by_norm(grad, self.clipnorm)
        if getattr(self, "clipvalue", 0):
            grad = clip_by_value(grad, -self.clipvalue, self.clipvalue)
        return grad

    def get_updates(self, loss: Any, params: Any) -> list[Any]:
        """The ops of one step in a graph.

        Args:
            loss: a scalar tensor. params: variables.
        """
        grads = self.get_gradients(loss, params)
        self._make_slots(params)
        return self._updates(grads, params)

    def apply_gradients(self, grads_and_vars: Any) -> None:
        """Make one step in eager mode.

        Args:
            grads_and_vars: pairs of (gradient, variable).
        Raises:
            ValueError: a gradient is None.
        """
        grads, params = zip(*grads_and_vars, strict=True)
        if any(g is None for g in grads):
            raise ValueError(_NO_GRADIENT)
        self.prepare_for(params)
        self._updates([self._clipped(g) for g in grads], params)
        self.updates, self._extra = [], ()  # they may belong to a function

    def prepare_for(self, params: Any) -> None:
        """Make the slots of these variables, if they are others than before."""
        if [id(p) for p in self._for] != [id(p) for p in params]:
            with dispatch.entered(current_mode().variable_owner()):
                self._make_slots(params)

    def _make_slots(self, params):
        self._for = tuple(params)
        kept = [[self._slot(name, p) for p in params] for name in self.slots]
        self._kept = kept
        self.weights = [self.iterations] if self.counted else []
        self.weights += [v for column in kept for v in column]

    def _slot(self, name, param):
        return variables.zeros(variables.int_shape(param), param.dtype.base_dtype)

    def _updates(self, grads, params):
        rate = self._begin(state_of(self.iterations))
        self.updates = [state.assign_add(self.iterations, 1), *self._extra]
        columns = zip(*self._kept, strict=True) if self._kept else ((),) * len(params)
        for p, g, kept in zip(params, grads, columns, strict=True):
            new, *others = self._new(p, g, rate, *kept)
            for slot, value in zip(kept, others, strict=False):
                self.updates.append(state.assign(slot, value))
            if getattr(p, "constraint", None) is not None:
                new = p.constraint(new)
            self.updates.append(state.assign(p, new))
        return self.updates

    _extra: tuple[Any, ...] = ()  # further updates of a step

    def _begin(self, iterations):
        """The rate of this step, the number `iterations` from 0."""
        if self.initial_decay > 0:
            steps = cast(iterations, self.decay.dtype.base_dtype)
            return self.lr * (1.0 / (1.0 + self.decay * steps))
        return state_of(self.lr)

    def _new(self, p, g, rate, *kept):
        """(new value of the variable, those of its slots)."""
        raise ValueError(f"{type(self).__name__} does not say how to update: _new.")

    # ------------------------------------------------------------------ state
    def set_weights(self, weights: Any) -> None:
        """Give what is kept the values of a list of arrays.

        Raises:
            ValueError: there are too many or too few, or a shape does not fit.
        """
        params = self.weights
        if len(params) != len(weights):
            raise ValueError(
                f"Length of the specified weight list ({len(weights)}) does not match "
                f"the number of weights of the optimizer ({len(params)})"
            )
        for p, w in zip(params, weights, strict=True):
            if tuple(p._shape) != w.shape:
                raise advised(
                    ValueError,
                    f"Optimizer weight shape {tuple(p._shape)} not compatible with "
                    f"provided weight shape {w.shape}",
                )
        sessions.batch_set_value(list(zip(params, weights, strict=True)))

    def get_weights(self) -> Any:
        """The values of what is kept, a list of arrays."""
        return sessions.batch_get_value(self.weights)

    def get_config(self) -> dict[str, Any]:
        """The settings, as plain values."""
        found = {n: float(sessions.get_value(getattr(self, n))) for n in self.numbers}
        found |= {n: getattr(self, n) for n in self.plain}
        found = {n: found[n] for n in self.listed or found}
        limits = ("clipnorm", "clipvalue")
        return found | {n: getattr(self, n) for n in limits if hasattr(self, n)}

    @classmethod
    def from_config(cls, config: Any) -> Any:
        """An optimizer from what `get_config` gave."""
        return cls(**config)


def state_of(variable):
    """The value of a variable at this place of the program."""
    return variable.value() if hasattr(variable, "value") else variable
