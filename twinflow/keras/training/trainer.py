"""compile, fit, evaluate and predict: the part of Model that trains."""

from typing import TYPE_CHECKING, Any

from twinflow.base import logging
from twinflow.base.dispatch import current_mode
from twinflow.data.dataset import Dataset
from twinflow.data.iterators.handles import EagerIterator, Iterator
from twinflow.distribute import contexts
from twinflow.keras.backend import sessions
from twinflow.keras.optimizers import algorithms as optimizers
from twinflow.keras.training import (
    arrays,
    checks,
    compiling,
    distributed_checks,
    distributed_loops,
    generators,
    graphs,
)
from twinflow.keras.training.feeding import UNCOMPILED, HasData
from twinflow.keras.training.stateful_metrics import Metric
from twinflow.keras.training.steps import EagerStep
from twinflow.keras.utils.data_sequence import is_generator_or_sequence
from twinflow.keras.utils.printed_floats import shown

if TYPE_CHECKING:
    from twinflow.keras.callbacks.base import History

_NOT_COPIED = ("history", "_dataset_iterators", "_iterator_elements", "_towers")


class HasTraining(HasData):
    """What a model does with data.

    Attributes:
        metrics_names: the names of the values that `evaluate` gives.
        optimizer, loss, metrics, loss_weights: what `compile` was given.
        history: the History of the last `fit`. stop_training: set it to end `fit`.
    """

    optimizer = None
    loss = None
    stop_training = False
    run_eagerly = False
    if TYPE_CHECKING:  # what compile and fit set
        _set: Any = None
        history = loss_functions = loss_weights = loss_weights_list = metrics = _set
        metrics_names = metrics_tensors = predict_function = test_function = _set
        sample_weight_mode = sample_weight_modes = sample_weights = targets = _set
        target_tensors = total_loss = train_function = weighted_metrics = _set

    stateful_metric_names: tuple[Any, ...] = ()  # of metrics that add up over batches
    stateful_metric_functions: tuple[Any, ...] = ()
    metrics_updates: tuple[Any, ...] = ()
    _is_compiled = False
    _distribution_strategy: Any = None
    _whole_batches = False
    _towers: Any = None
    _takes_dict = False
    _wanted: tuple[Any, ...] = ()

    def __getstate__(self):
        """What copies keep: neither steps nor iterators nor the history."""
        state = super().__getstate__()
        return {k: v for k, v in state.items() if k not in _NOT_COPIED} | {
            f"{kind}_function": None for kind in ("train", "test", "predict")
        }

    # ------------------------------------------------------------------ compile
    def compile(
        self, optimizer: Any, loss: Any = None, metrics: Any = None,
        loss_weights: Any = None, sample_weight_mode: Any = None,
        weighted_metrics: Any = None, target_tensors: Any = None,
        distribute: Any = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        """Say how to train.

        Args:
            optimizer: a name, or one of tf.keras.optimizers or tf.train.
            loss: a name or function of (y_true, y_pred); for several outputs a list,
                or a dict by the names of the outputs.
            metrics: a list of names or functions ("accuracy" fits the loss), or a dict.
            loss_weights: numbers, a list or dict.
            sample_weight_mode: "temporal" for weights of time steps.
            weighted_metrics: metrics that heed the weights of samples.
            target_tensors: tensors to use as targets (graph mode).
            distribute: None, or a strategy of tf.contrib.distribute: each of its
                towers gets a batch in each step. None inside `strategy.scope()` means
                that strategy; then batches are split among the towers.
            kwargs: `run_eagerly`: whether steps run as Python code in eager mode;
                others go to `session.run`.
        Raises:
            ValueError: something is not known or does not fit the outputs.
        Example:
            model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(3,))])
            optimizer = tf.train.GradientDescentOptimizer(0.1)
            model.compile(optimizer, "mse", metrics=["mae"])
            model.metrics_names  # ["loss", "mean_absolute_error"]
        """
        at_work = contexts.get_cross_tower_context() if distribute is None else None
        if (distribute := distribute or at_work) is not None:
            distributed_checks.check_compile(
                distribute, optimizer, sample_weight_mode, weighted_metrics,
                target_tensors, at_work is not None,
            )  # fmt: skip
        if current_mode().eager and target_tensors is not None:
            raise ValueError("target_tensors is not supported in Eager mode.")
        before = dict(self.__dict__)
        try:
            self._note(
                _distribution_strategy=distribute, _towers=None,
                _whole_batches=at_work is not None,
            )  # fmt: skip
            self._compile(
                optimizer, loss, metrics, loss_weights, sample_weight_mode,
                weighted_metrics, target_tensors, kwargs,
            )  # fmt: skip
        except Exception:
            self.__dict__.clear()
            self.__dict__.update(before)
            raise

    def _compile(
        self, optimizer, loss, metrics, loss_weights, sample_weight_mode,
        weighted_metrics, target_tensors, kwargs,
    ):  # fmt: skip
        self.__dict__["run_eagerly"] = bool(kwargs.pop("run_eagerly", False))
        sessions.check_options(kwargs)
        self._note(
            optimizer=optimizers.get(optimizer), loss=loss or {},
            metrics=metrics or [], loss_weights=loss_weights,
            sample_weight_mode=sample_weight_mode, weighted_metrics=weighted_metrics,
            target_tensors=target_tensors, _function_kwargs=kwargs,
        )  # fmt: skip
        if self._knows_outputs():
            self._compile_outputs()

    def _note(self, **facts):
        """Set attributes that are no parts of the model."""
        self.__dict__.update(facts)

    def _knows_outputs(self):
        return bool(self.outputs)

    def _compile_outputs(self):
        names, facts = self.output_names, self.__dict__
        functions = compiling.loss_functions(self.loss, names)
        skipped = [f is None for f in functions]
        self._note(
            _is_compiled=True, loss_functions=functions,
            loss_weights_list=compiling.loss_weights(facts["loss_weights"], names),
            sample_weight_modes=compiling.weight_modes(
                facts["sample_weight_mode"], names
            ),
            _wanted=[i for i, skip in enumerate(skipped) if not skip],
            train_function=None, test_function=None, predict_function=None,
            total_loss=None, targets=[], sample_weights=[None] * len(names),
            metrics_names=["loss"], metrics_tensors=[],
        )  # fmt: skip
        if not current_mode().eager:
            graphs.make_targets(self)
        self._compile_metrics(functions)
        self._name_metrics()
        if not current_mode().eager:
            graphs.make_losses(self)
        self._note(_collected_trainable_weights=self.trainable_weights)

    def _compile_metrics(self, functions):
        shapes = [tuple(y._shape) for y in self.outputs]
        plain = [False] * len(shapes)
        weighted = [w is not None for w in self.sample_weights]
        facts = self.__dict__
        common = (self.output_names, shapes, functions)
        self._note(
            _per_output_metrics=compiling.metric_functions(
                facts["metrics"], *common, plain
            ),
            _per_output_weighted_metrics=compiling.metric_functions(
                facts["weighted_metrics"], *common, weighted
            ),
        )

    def _name_metrics(self):
        names, many = self.metrics_names, len(self.outputs) > 1
        if many:
            names += [f"{self.output_names[i]}_loss" for i in self._wanted]
        stateful: dict = {}
        for i in self._wanted:
            found = [*self._per_output_metrics[i].items()]
            found += self._per_output_weighted_metrics[i].items()
            for name, metric in found:
                output = self.output_names[i]
                names.append(compiling.unique_name(name, output, many, names))
                if isinstance(metric, Metric):
                    stateful[names[-1]] = metric
        self._note(
            stateful_metric_names=list(stateful),
            stateful_metric_functions=list(stateful.values()),
        )

    def _reset_metrics(self):
        """Let the metrics that add up over batches begin again."""
        for metric in self.stateful_metric_functions:
            metric.reset_states()

    @property
    def uses_learning_phase(self) -> Any:
        """Whether the outputs differ between training and testing (graph mode)."""
        return not current_mode().eager and graphs.uses_learning_phase(self)

    @property
    def state_updates(self) -> Any:
        """The updates of stateful layers, which testing makes too."""
        return [] if current_mode().eager else graphs.state_updates(self)

    # ------------------------------------------------------------------ steps
    def _make_train_function(self):
        if not self._is_compiled:
            raise RuntimeError("You must compile your model before using it.")
        self._check_trainable_weights()
        return self._step("train")

    def _check_compiled(self):
        if self.optimizer is None:
            raise RuntimeError(UNCOMPILED)

    def _check_trainable_weights(self):
        known = self.__dict__["_collected_trainable_weights"]
        if len(self.trainable_weights) != len(known):
            logging.warning(
                "Discrepancy between trainable weights and collected trainable"
                " weights, did you set `model.trainable` without calling"
                " `model.compile` after ?"
            )

    def _make_test_function(self):
        if not self._is_compiled:
            raise RuntimeError("You must compile your model before using it.")
        return self._step("test")

    def _make_predict_function(self):
        return self._step("predict")

    def _step(self, kind):
        name = f"{kind}_function"
        found = self.__dict__.get(name)
        if found is None:
            eager = current_mode().eager
            found = EagerStep(self, kind) if eager else graphs.step(self, kind)
            self.__dict__[name] = found
        return found

    # ------------------------------------------------------------------ fit
    def fit(
        self, x: Any = None, y: Any = None, batch_size: Any = None, epochs: int = 1,
        verbose: int = 1, callbacks: Any = None, validation_split: float = 0.0,
        validation_data: Any = None, shuffle: Any = True, class_weight: Any = None,
        sample_weight: Any = None, initial_epoch: int = 0, steps_per_epoch: Any = None,
        validation_steps: Any = None, max_queue_size: int = 10, workers: int = 1,
        use_multiprocessing: bool = False, **kwargs: Any,
    ) -> "History":  # fmt: skip
        """Train for some epochs.

        Args:
            x: an array, tensor, list or dict of them, a dataset or its iterator, a
                generator or Sequence. y: the targets, where x does not give them too.
            batch_size: an int; 32 if not given. epochs: the number of the last epoch.
            verbose: 0 (nothing), 1 (a bar), 2 (a line an epoch).
            callbacks: see tf.keras.callbacks.
            validation_split: the share of the last samples that are kept for
                validation. validation_data: (x, y) or (x, y, weights), or a dataset.
            shuffle: whether to mix the samples before each epoch; "batch": batches.
            class_weight: {class: weight}. sample_weight: float[samples].
            initial_epoch: the number of the first epoch, from 0.
            steps_per_epoch: how many batches are an epoch, for datasets and tensors.
            validation_steps: the same for the validation.
            max_queue_size, workers, use_multiprocessing: for generators.
        Returns:
            A History: `history.history["loss"]`.
        Raises:
            RuntimeError: the model is not compiled. ValueError: the data do not fit.
        Example:
            model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(3,))])
            model.compile(tf.train.GradientDescentOptimizer(0.1), "mse")
            x, y = np.ones((10, 3)), np.ones((10, 1))
            history = model.fit(x, y, epochs=3, validation_split=0.2, verbose=0)
            sorted(history.history)  # ["loss", "val_loss"]
        """
        if "nb_epoch" in kwargs:
            logging.warning(
                "The `nb_epoch` argument in `fit` has been renamed `epochs`."
            )
            epochs = kwargs.pop("nb_epoch")
        if kwargs:
            raise TypeError(f"Unrecognized keyword arguments: {kwargs}")
        if is_generator_or_sequence(x):
            generators.check_alone(y, sample_weight)
            return self.fit_generator(
                x, steps_per_epoch, epochs, verbose, callbacks, validation_data,
                validation_steps, class_weight, max_queue_size, workers,
                use_multiprocessing, shuffle, initial_epoch,
            )  # fmt: skip
        batch_size = self._batch_size(batch_size, steps_per_epoch)
        if self._distribution_strategy is not None:
            return distributed_loops.fit(
                self, x, y, batch_size, epochs, verbose, callbacks, validation_split,
                validation_data, shuffle, class_weight, sample_weight, initial_epoch,
                steps_per_epoch, validation_steps,
            )  # fmt: skip
        data = self._standardize_user_data(
            x, y, sample_weight, class_weight, batch_size, True, "steps_per_epoch",
            steps_per_epoch, validation_split,
        )  # fmt: skip
        data, val_data = self._validation(
            data, validation_data, validation_split, batch_size, validation_steps
        )
        return arrays.fit_loop(
            self, data, val_data, batch_size, epochs, verbose, callbacks, shuffle,
            initial_epoch, steps_per_epoch, validation_steps, class_weight,
        )  # fmt: skip

    def _validation(self, data, given, split, batch_size, steps):
        """(data to train on, data to validate on or None)."""
        if given is not None and not (isinstance(given, list | tuple) and not given):
            x, y, w = _validation_parts(given)
            found = self._standardize_user_data(
                x, y, sample_weight=w, batch_size=batch_size, steps=steps
            )
            return data, found
        if split and 0.0 < split < 1.0:
            if checks.is_symbolic(data[0]):
                raise ValueError(
                    "If your data is in the form of symbolic tensors, you cannot use "
                    "`validation_split`."
                )
            at = int(int(data[0][0].shape[0]) * (1.0 - split))
            first = tuple(arrays.slice_arrays(part, 0, at) for part in data)
            return first, tuple(arrays.slice_arrays(part, at) for part in data)
        return data, ([], [], []) if steps else None

    def evaluate(
        self, x: Any = None, y: Any = None, batch_size: Any = None, verbose: int = 1,
        sample_weight: Any = None, steps: Any = None, max_queue_size: int = 10,
        workers: int = 1, use_multiprocessing: bool = False,
    ) -> Any:  # fmt: skip
        """The loss and the metrics on data; see `fit` for the arguments.

        Returns:
            A number, or a list of them, named by `metrics_names`.
        """
        if is_generator_or_sequence(x):
            generators.check_alone(y, sample_weight)
            return self.evaluate_generator(
                x, steps, max_queue_size, workers, use_multiprocessing, verbose
            )
        batch_size = self._batch_size(batch_size, steps)
        if self._distribution_strategy is not None:
            return distributed_loops.evaluate(
                self, x, y, batch_size, verbose, sample_weight, steps
            )
        data = self._standardize_user_data(
            x, y, sample_weight, None, batch_size, True, "steps", steps
        )
        return arrays.test_loop(self, data, batch_size, verbose, steps)

    def predict(
        self, x: Any, batch_size: Any = None, verbose: int = 0, steps: Any = None,
        max_queue_size: int = 10, workers: int = 1, use_multiprocessing: bool = False,
    ) -> Any:  # fmt: skip
        """The outputs for inputs, an array or a list; see `fit` for the arguments."""
        if is_generator_or_sequence(x):
            return self.predict_generator(
                x, steps, max_queue_size, workers, use_multiprocessing, verbose
            )
        batch_size = self._batch_size(batch_size, steps)
        if self._distribution_strategy is not None:
            return distributed_loops.predict(self, x, batch_size, verbose, steps)
        if isinstance(x, Dataset):
            x = self._iterator_of(x)
        if isinstance(x, EagerIterator):
            checks.needs_steps(x, steps, "steps", True)
            inputs = x
        else:
            inputs = self._inputs_of(x, batch_size, steps)
        return arrays.predict_loop(self, inputs, batch_size, verbose, steps)

    def _batch_size(self, given, steps):
        """How many samples a batch has: as given, as the inputs say, or 32.

        Raises:
            ValueError: the inputs have another fixed batch size than the given one.
        """
        fixed = None
        if self._network is not None and self._feed_inputs:
            shape = self._feed_inputs[0]._shape
            fixed = shape[0] if shape else None
        if given is not None and fixed is not None and given != fixed:
            raise ValueError(
                f"The `batch_size` argument value {given} is incompatible with the "
                f"specified batch size of your Input Layer: {fixed}"
            )
        if given is None and steps is None:
            return 32 if fixed is None else fixed
        return given

    def _inputs_of(self, x, batch_size, steps):
        iterator = isinstance(x, Iterator)
        checks.needs_steps(x, steps, "steps", iterator)
        if iterator:
            x = self._next_of(x)
            x = x[0] if isinstance(x, tuple) else x
        return self._standardize_weights(x, None, None, None, batch_size)[0]

    # ------------------------------------------------------------------ one batch
    def train_on_batch(
        self, x: Any, y: Any = None, sample_weight: Any = None, class_weight: Any = None
    ) -> Any:
        """Make one step; gives the loss, or a list of it and the metrics."""
        distributed_checks.check_on_one_device(self, "train_on_batch")
        data = self._standardize_user_data(x, y, sample_weight, class_weight)
        return _one_or_all(list(map(shown, self._make_train_function()(_flat(data)))))

    def test_on_batch(self, x: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """The loss of one batch, or a list of it and the metrics."""
        distributed_checks.check_on_one_device(self, "test_on_batch")
        data = self._standardize_user_data(x, y, sample_weight)
        return _one_or_all(list(map(shown, self._make_test_function()(_flat(data)))))

    def predict_on_batch(self, x: Any) -> Any:
        """The outputs for one batch: an array, or a list of them."""
        distributed_checks.check_on_one_device(self, "predict_on_batch")
        x = x.make_one_shot_iterator() if isinstance(x, Dataset) else x
        if isinstance(x, Iterator | EagerIterator):
            element = self._next_of(x)
            x = element[0] if isinstance(element, tuple) else element
        inputs = self._standardize_weights(x, None)[0]
        return _one_or_all(self._make_predict_function()(arrays.listed(inputs)))

    # ------------------------------------------------------------------ generators
    def fit_generator(
        self, generator: Any, steps_per_epoch: Any = None, epochs: int = 1,
        verbose: int = 1, callbacks: Any = None, validation_data: Any = None,
        validation_steps: Any = None, class_weight: Any = None,
        max_queue_size: int = 10, workers: int = 1, use_multiprocessing: bool = False,
        shuffle: Any = True, initial_epoch: int = 0,
    ) -> Any:  # fmt: skip
        """Train on batches that a generator or Sequence gives.

        Args: see `fit`; `max_queue_size`, `workers`: how many batches are made ahead,
            by how many threads (0: none); `use_multiprocessing`: threads all the same.
        """
        distributed_checks.check_on_one_device(self, "fit_generator")
        return generators.fit_generator(
            self, generator, steps_per_epoch, epochs, verbose, callbacks,
            validation_data, validation_steps, class_weight, max_queue_size, workers,
            shuffle, initial_epoch,
        )  # fmt: skip

    def evaluate_generator(
        self, generator: Any, steps: Any = None, max_queue_size: int = 10,
        workers: int = 1, use_multiprocessing: bool = False, verbose: int = 0,
    ) -> Any:  # fmt: skip
        """The loss and the metrics on what a generator gives; see fit_generator."""
        distributed_checks.check_on_one_device(self, "evaluate_generator")
        return generators.evaluate_generator(
            self, generator, steps, max_queue_size, workers, verbose
        )

    def predict_generator(
        self, generator: Any, steps: Any = None, max_queue_size: Any = 10,
        workers: Any = 1, use_multiprocessing: Any = False, verbose: Any = 0,
    ) -> Any:  # fmt: skip
        """The outputs for what a generator gives; see fit_generator."""
        distributed_checks.check_on_one_device(self, "predict_generator")
        return generators.predict_generator(
            self, generator, steps, max_queue_size, workers, verbose
        )


def _flat(data):
    return [v for part in data for v in arrays.listed(part)]


def _one_or_all(values):
    return values[0] if len(values) == 1 else values


def _validation_parts(given):
    if isinstance(given, Dataset | Iterator | EagerIterator):
        return given, None, None
    if len(given) in (2, 3):
        return (*given, None)[:3]
    raise ValueError(
        "When passing a `validation_data` argument, it must contain either 2 items "
        "(x_val, y_val), or 3 items (x_val, y_val, val_sample_weights), or "
        "alternatively it could be a dataset or a dataset or a dataset iterator. "
        f"However we received `validation_data={given}`"
    )
