"""Data as a model takes them, and what a model written as a class makes of them."""

import numpy as np

from twinflow.base import logging, nest
from twinflow.base.dispatch import current_mode
from twinflow.base.errors import OutOfRangeError
from twinflow.data.dataset import Dataset
from twinflow.data.iterators.handles import EagerIterator, Iterator
from twinflow.keras.backend import sessions
from twinflow.keras.engine.nodes import DeferredTensor
from twinflow.keras.training import arrays, checks, graphs
from twinflow.keras.training.steps import arranged

UNCOMPILED = (
    "You must compile a model before training/testing. Use `model.compile(optimizer, "
    "loss)`."
)


class HasData:
    """The part of Model that reads what users pass to `fit` and the like."""

    def _standardize_user_data(
        self, x, y=None, sample_weight=None, class_weight=None, batch_size=None,
        check_steps=False, steps_name="steps", steps=None, validation_split=0,
    ):  # fmt: skip
        """(inputs, targets, weights) as lists; an iterator in eager mode stays one."""
        if isinstance(x, Dataset):
            x = self._iterator_of(x)
        iterator = isinstance(x, Iterator | EagerIterator)
        if check_steps:
            checks.needs_steps(x, steps, steps_name, iterator)
        if iterator:
            checks.check_iterator_alone(x, y, sample_weight, validation_split)
            if isinstance(x, EagerIterator) and steps is not None:
                return x, y, sample_weight
            x, y, sample_weight = arrays.split_element(self._next_of(x))
        return self._standardize_weights(x, y, sample_weight, class_weight, batch_size)

    def _iterator_of(self, dataset):
        if current_mode().eager:
            return dataset.make_one_shot_iterator()
        known = self.__dict__.setdefault("_dataset_iterators", {})
        found = known.get(id(dataset))
        if found is None:
            found = (dataset, dataset.make_initializable_iterator())
            known[id(dataset)] = found
        sessions.get_session().run(found[1].initializer)
        return found[1]

    def _next_of(self, iterator):
        known = self.__dict__.setdefault("_iterator_elements", {})
        if isinstance(iterator, Iterator) and id(iterator) in known:
            return known[id(iterator)][1]
        try:
            element = iterator.get_next()
        except OutOfRangeError:
            raise RuntimeError(
                "Your dataset iterator ran out of data; Make sure that your dataset "
                "can generate required number of samples."
            ) from None
        if isinstance(iterator, Iterator):
            known[id(iterator)] = (iterator, element)
        return element

    def _standardize_weights(
        self, x, y, sample_weight=None, class_weight=None, batch_size=None
    ):
        if sample_weight is not None and class_weight is not None:
            logging.warning(
                "Received both a `sample_weight` and `class_weight` argument. The "
                "`class_weight` argument will be ignored."
            )
        fed = self._ready_for(x, y)
        if not fed:
            return [], [], []
        eager = current_mode().eager
        checked = not eager and self._network is not None
        names = self.input_names if eager else self._feed_input_names
        shapes = None
        if checked:
            shapes = [_shape(t) for t in self._feed_inputs]
        xs = checks.standardized(x, names, shapes, "input")
        if self._takes_dict and isinstance(x, dict):
            xs = [np.asarray(v) if not hasattr(v, "shape") else v for v in xs]
        if self.stateful and batch_size and xs[0].shape[0] % batch_size:
            raise ValueError(
                "In a stateful network, you should only pass inputs with a number of "
                "samples that can be divided by the batch size. Found: "
                f"{xs[0].shape[0]} samples"
            )
        if y is None:
            return xs, [], []
        return (xs, *self._targets(xs, y, sample_weight, class_weight, checked))

    def _targets(self, xs, y, sample_weight, class_weight, checked):
        fed = self._fed_targets()
        names = [self.output_names[i] for i in fed]
        functions = [self.loss_functions[i] for i in fed]
        shapes = None
        if self._network is not None:
            outs = [_shape(self.outputs[i]) for i in fed]
            pairs = zip(outs, functions, strict=True)
            shapes = [checks.target_shape(s, f) for s, f in pairs]
        ys = checks.standardized(y, names, shapes if checked else None, "target")
        each = checks.weights_by_output(sample_weight, names, "sample_weight")
        by_class = checks.weights_by_output(class_weight, names, "class_weight")
        modes = [self.sample_weight_modes[i] for i in fed]
        rows = zip(ys, each, by_class, modes, strict=True)
        ws = [checks.weights_of(*row) for row in rows]
        checks.check_lengths(xs, ys, ws)
        if checked:
            checks.check_targets(ys, functions, shapes)
        return ys, ws

    def _fed_targets(self):
        """The numbers of the outputs whose targets are fed."""
        given = self.__dict__.get("_given_targets", ())
        return [i for i in self._wanted if i not in given]

    # ------------------------------------------------------------------ building
    def _ready_for(self, x, y):
        """Find inputs and outputs from data; False if they are the data's tensors."""
        built = not self.inputs
        if built:
            _check_arrays(x, "inputs", "x")
            self._set_inputs(x)
        if y is None or self._is_compiled:
            return not (built and checks.is_symbolic(x))
        if self.optimizer is None:
            raise RuntimeError(UNCOMPILED)
        if isinstance(y, dict):
            raise ValueError("Please do not pass a dictionary as model targets.")
        _check_arrays(y, "targets", "y")
        symbolic = checks.is_symbolic(y)
        if built and symbolic != checks.is_symbolic(x):
            raise ValueError(
                "Do not pass inputs that mix Numpy arrays and TensorFlow tensors. "
                f"You passed: x={x}; y={y}"
            )
        if symbolic:
            self._note(target_tensors=arrays.listed(y))
        self._compile_outputs()
        return not (built and symbolic)

    def _set_inputs(self, inputs, outputs=None, training=None):
        """Find the outputs of a model that is written as a class, for such inputs."""
        as_dict = isinstance(inputs, dict)
        names = sorted(inputs) if as_dict else None
        values = [inputs[k] for k in names] if as_dict else arrays.listed(inputs)
        names = names or [f"input_{i + 1}" for i in range(len(values))]
        self._note(_takes_dict=as_dict)
        if current_mode().eager:
            found = _eager_ends(self, values, names)
        else:
            found = graphs.make_ends(self, values, names)
        count = len(found["outputs"])
        found["output_names"] = [f"output_{i + 1}" for i in range(count)]
        self._note(built=True)


def _shape(t):
    return None if t._shape is None else tuple(t._shape)


def _check_arrays(values, what, name):
    """Raise ValueError for what is neither an array nor a tensor."""
    parts = values.values() if isinstance(values, dict) else arrays.listed(values)
    for v in parts:
        if not (isinstance(v, np.ndarray) or checks.is_tensor(v)):
            raise ValueError(
                f"Please provide as model {what} either a single array or a list of "
                f"arrays. You passed: {name}={values}"
            )


def _eager_ends(model, values, names):
    """What a model is called on and gives, where it is written as a class."""
    kinds = []
    for v in values:
        sizes = tuple(v.shape[1:]) if len(v.shape) > 1 else (1,)
        batch = v.shape[0] if len(v.shape) else None
        kinds.append((graphs.fed_dtype(v), (getattr(batch, "value", batch), *sizes)))
    found = {"input_names": names, "outputs": []}
    found["inputs"] = [DeferredTensor((None, *s[1:]), d) for d, s in kinds]
    model._note(_fed=found)
    kwargs = {"training": False} if model._takes("training") else {}
    outs = nest.flatten(
        model._traced(lambda *xs: model.call(arranged(model, xs), **kwargs), kinds)
    )
    found["outputs"] = [DeferredTensor(_of_any_size(y._shape), y.dtype) for y in outs]
    return found


def _of_any_size(shape):
    """The shape of an output for batches of any size."""
    return (None, *shape[1:]) if shape else shape
