"""Linear-Gaussian state space models, and their Kalman filters."""

import abc
import collections
from typing import Any

import numpy as np

from twinflow.base.dtypes import float32, int32, int64
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.contrib.layers.dense import fully_connected
from twinflow.contrib.timeseries.matrices import (
    clip_covariance,
    log_noninformative_covariance_prior,
    matrix_to_powers,
    power_sums,
    transform_to_covariance_matrices,
    variable_covariance_matrix,
)
from twinflow.contrib.timeseries.model_parts import parameter_switch
from twinflow.contrib.timeseries.sequential_model import SequentialTimeSeriesModel
from twinflow.contrib.timeseries.state_space.generating import StateDraws
from twinflow.contrib.timeseries.state_space.kalman_filter import KalmanFilter
from twinflow.estimator.model_fn import ModeKeys
from twinflow.graph.variable_scope import (
    get_variable,
    get_variable_scope,
    variable_scope,
)
from twinflow.graph.variable_store import AUTO_REUSE
from twinflow.ops.arrays.unique import unique
from twinflow.ops.core.compare import equal
from twinflow.ops.core.constant import cast, constant, convert_to_tensor
from twinflow.ops.core.creation import ones, zeros
from twinflow.ops.core.elementwise import add_n, log, maximum
from twinflow.ops.core.index import gather
from twinflow.ops.core.joining import concat, tile
from twinflow.ops.core.product import matmul
from twinflow.ops.core.reduction import reduce_mean
from twinflow.ops.core.shape import reshape, shape
from twinflow.ops.math.positions import argmax
from twinflow.ops.matrix.diagonal import eye

_FIELDS = (
    ("num_features", 1),
    ("use_observation_noise", True),
    ("dtype", float32),
    ("covariance_prior_fn", log_noninformative_covariance_prior),
    ("bayesian_prior_weighting", True),
    ("filtering_postprocessor", None),
    ("trainable_start_state", False),
    ("exogenous_noise_increases", True),
    ("exogenous_noise_decreases", False),
    ("exogenous_feature_columns", None),
    ("exogenous_update_condition", None),
    ("filtering_maximum_posterior_variance_ratio", 1e6),
    ("filtering_minimum_posterior_variance", 0.0),
    ("transition_covariance_initial_log_scale_bias", -5.0),
    ("static_unrolling_window_size_threshold", None),
)


class StateSpaceModelConfiguration(
    collections.namedtuple(
        "StateSpaceModelConfiguration",
        [name for name, _ in _FIELDS],
        defaults=[value for _, value in _FIELDS],
    )
):
    """How a state space model is made.

    Args:
        num_features: int, of the values. use_observation_noise: whether values differ
            from what states show. dtype: of the model.
        covariance_prior_fn: a function of a covariance, that gives the logarithm of its
            prior; None: none. bayesian_prior_weighting: whether priors count once a
            series and not once a batch.
        filtering_postprocessor: a FilteringStepPostprocessor.
        trainable_start_state: whether the mean of the first state is trained.
        exogenous_noise_increases: whether exogenous features make states less certain,
            or exogenous_noise_decreases: more.
        exogenous_feature_columns, exogenous_update_condition,
        static_unrolling_window_size_threshold: see SequentialTimeSeriesModel.
        filtering_maximum_posterior_variance_ratio,
        filtering_minimum_posterior_variance: bounds of the variances of states.
        transition_covariance_initial_log_scale_bias: how much less than values states
            change at first, as a logarithm.
    """

    __slots__ = ()


class StateSpaceModel(SequentialTimeSeriesModel):
    """A state that moves linearly, with noise, and values that show it.

    state' = A state + R noise; values = H state + other noise

    Args:
        configuration: a StateSpaceModelConfiguration.
    """

    def __init__(self, configuration: StateSpaceModelConfiguration) -> None:
        self._configuration = configuration
        self._postprocessor = configuration.filtering_postprocessor
        names = ["mean", "covariance", "log_likelihood"]
        if self._postprocessor is not None:
            names += self._postprocessor.output_names
        super().__init__(
            train_output_names=["loss", *names],
            predict_output_names=["mean", "covariance"],
            num_features=configuration.num_features, normalize_features=True,
            dtype=configuration.dtype,
            exogenous_feature_columns=configuration.exogenous_feature_columns,
            exogenous_update_condition=configuration.exogenous_update_condition,
        )  # fmt: skip
        self._kalman_filter = KalmanFilter(dtype=self.dtype)
        self.variable_scope = get_variable_scope()
        self._window: Any = None

    # ----------------------------------------------------------------- parameters
    def initialize_graph(self, input_statistics: Any = None) -> None:
        """See TimeSeriesModel: makes the variables too."""
        self._set_input_statistics(input_statistics)
        self._define_parameters()
        with self._scope():
            self._make_priors()

    def _scope(self):
        return variable_scope(self.variable_scope, reuse=AUTO_REUSE)

    def _set_input_statistics(self, input_statistics=None):
        super().initialize_graph(input_statistics=input_statistics)

    def _define_parameters(self, observation_transition_tradeoff_log=None):
        """Make the covariances of the noises."""
        with self._scope():
            tradeoff = observation_transition_tradeoff_log
            if tradeoff is None:
                tradeoff = self._variable_observation_transition_tradeoff_log()
            self._tradeoff = tradeoff
            self.state_transition_noise_covariance = (
                self.get_state_transition_noise_covariance()
            )
            self.observation_noise_covariance = self.get_observation_noise_covariance()

    def _variable_observation_transition_tradeoff_log(self):
        """How much more noise values have than states, as a logarithm."""
        if not self._configuration.use_observation_noise:
            return zeros([], self.dtype)
        return get_variable(
            "observation_transition_tradeoff_log_scale",
            initializer=constant(
                -self._configuration.transition_covariance_initial_log_scale_bias,
                self.dtype,
            ),
            dtype=self.dtype,
        )

    def _make_priors(self):
        self._prior_mean = self.get_prior_mean()
        self._prior_covariance = self.get_prior_covariance()

    def _start_variances(self, least=1e-5):
        """float[features], of the start of a series, in units of the whole."""
        if self._input_statistics is None:
            return ones([self.num_features], self.dtype)
        variance = self._input_statistics.series_start_moments.variance
        return maximum(self._scale_variance(variance), least)

    def get_state_transition_noise_covariance(
        self, minimum_initial_variance: float = 1e-5
    ) -> Tensor:
        """The covariance of the noise of transitions, float[noises, noises].

        Args:
            minimum_initial_variance: float, of each noise at first.
        """
        size = self.get_noise_transform().shape[-1].value
        return variable_covariance_matrix(
            size, "state_transition_noise", self.dtype,
            initial_overall_scale_log=self._transition_scale(minimum_initial_variance),
        )  # fmt: skip

    def _transition_scale(self, least):
        """How much states change at first, as a logarithm."""
        if self._input_statistics is None:
            initial = zeros([], self.dtype)
        else:
            variance = self._input_statistics.series_start_moments.variance
            mean = reduce_mean(self._scale_variance(variance))
            count = self._input_statistics.total_observation_count
            initial = log(maximum(mean / cast(count, self.dtype), least))
        return initial - self._tradeoff

    def get_observation_noise_covariance(
        self, minimum_initial_variance: float = 1e-5
    ) -> Tensor:
        """The covariance of the noise of values, float[features, features].

        Args:
            minimum_initial_variance: float, of each feature at first.
        """
        if not self._configuration.use_observation_noise:
            return zeros([self.num_features, self.num_features], self.dtype)
        return variable_covariance_matrix(
            self.num_features, "observation_noise_covariance", self.dtype,
            initial_diagonal_values=self._start_variances(minimum_initial_variance),
            initial_overall_scale_log=self._tradeoff,
        )  # fmt: skip

    def get_prior_mean(self) -> Tensor:
        """The mean of the first state, float[states]."""
        size = self.get_state_transition().shape[0].value
        return get_variable(
            "prior_state_mean", [size], self.dtype,
            trainable=self._configuration.trainable_start_state,
        )  # fmt: skip

    def get_prior_covariance(self) -> Tensor:
        """The covariance of the first state, float[states, states]."""
        size = self.get_state_transition().shape[0].value
        found = eye(size, dtype=self.dtype)
        if not self._configuration.trainable_start_state:
            return found
        return variable_covariance_matrix(size, "prior_state_var", self.dtype)

    def get_start_state(self) -> tuple[Tensor, Tensor, Tensor]:
        """(mean, covariance, time) before a series begins."""
        start = zeros([], int64)
        if self._input_statistics is not None:
            start = self._input_statistics.start_time
        return self._prior_mean, self._prior_covariance, start - 1

    def random_model_parameters(self, seed: int | None = None) -> dict:
        """dict from the covariances and the prior mean to random values, to generate.

        Args:
            seed: int.
        """
        draws = np.random.RandomState(seed)

        def normal(tensor):
            return draws.normal(size=tensor.shape.as_list())

        def covariance(tensor):
            root = normal(tensor)
            return root @ root.T + 0.1 * np.eye(len(root))

        found = {self._prior_mean: normal(self._prior_mean)}
        for parameter in self._covariances():
            found[parameter] = covariance(parameter)
        return found

    def _covariances(self):
        """The covariances that are trained."""
        found = [self.state_transition_noise_covariance]
        if self._configuration.use_observation_noise:
            found.append(self.observation_noise_covariance)
        return found

    # --------------------------------------------------------------------- moving
    @abc.abstractmethod
    def get_state_transition(self) -> Any:
        """How a state moves by itself, float[states, states]."""

    @abc.abstractmethod
    def get_noise_transform(self) -> Tensor:
        """How noise acts on a state, float[states, noises]."""

    @abc.abstractmethod
    def get_observation_model(self, times: TensorValue) -> Any:
        """How a state shows, float[features, states]; with a batch where times count.

        Args:
            times: int64[batch].
        """

    def get_broadcasted_observation_model(self, times: TensorValue) -> Tensor:
        """The observation model of each time, float[batch, features, states].

        Args:
            times: int64[batch].
        """
        model = convert_to_tensor(self.get_observation_model(times), self.dtype)
        if model.shape.ndims == 1:
            model = model[None]
        if model.shape.ndims == 3:
            return model
        return tile(model[None], concat([shape(times)[:1], [1, 1]], 0))

    def transition_to_powers(self, powers: TensorValue) -> Tensor:
        """Transitions by several times, float[..., states, states].

        Args:
            powers: int[...], how many.
        """
        transition = convert_to_tensor(self.get_state_transition(), self.dtype)
        return matrix_to_powers(transition, powers)

    def transition_power_noise_accumulator(self, num_steps: TensorValue) -> Tensor:
        """The covariance that several transitions add, float[batch, states, states].

        Args:
            num_steps: int[batch], how many.
        """
        transform = convert_to_tensor(self.get_noise_transform(), self.dtype)
        noise = matmul(transform, self.state_transition_noise_covariance)
        noise = matmul(noise, transform, transpose_b=True)
        transition = convert_to_tensor(self.get_state_transition(), self.dtype)
        return power_sums(transition, noise, num_steps)

    def _window_initializer(self, times, state):
        """Compute the transitions of all pauses between times, each once."""
        first = maximum(times[:, :1] - state[-1][:, None], 0)
        pauses = concat([reshape(times[:, 1:] - times[:, :-1], [-1]), first[:, 0]], 0)
        known, _ = unique(pauses)
        size = self.get_state_transition().shape[0].value
        tables = (
            self.transition_to_powers(known),
            self.transition_power_noise_accumulator(known),
        )
        for table in tables:
            table.set_shape([None, size, size])
        self._window = (known, *tables)

    # ---------------------------------------------------------------------- steps
    def _imputation_step(self, current_times, state):
        """See SequentialTimeSeriesModel."""
        mean, covariance, before = state
        pause = maximum(current_times - before, 0)
        known, powers, noises = self._window
        place = argmax(cast(equal(pause[:, None], known[None]), int32), axis=1)
        move, noise = gather(powers, place), gather(noises, place)
        mean = self._kalman_filter.predict_state_mean(mean, move)
        covariance = self._kalman_filter.predict_state_var(covariance, move, noise)
        return mean, covariance, before + pause

    def _prediction_step(self, current_times, state):
        """See SequentialTimeSeriesModel."""
        mean, covariance, _ = state
        shown, spread = self._kalman_filter.observed_from_state(
            mean, covariance, self.get_broadcasted_observation_model(current_times),
            self.observation_noise_covariance,
        )  # fmt: skip
        return state, {"mean": shown, "covariance": spread}

    def _filtering_step(self, current_times, current_values, state, predictions):
        """See SequentialTimeSeriesModel."""
        mean, covariance, _ = state
        bounded = clip_covariance(
            covariance, self._configuration.filtering_maximum_posterior_variance_ratio,
            self._configuration.filtering_minimum_posterior_variance,
        )  # fmt: skip
        found = self._kalman_filter.do_filter(
            mean, bounded, predictions["mean"], predictions["covariance"],
            current_values, self.get_broadcasted_observation_model(current_times),
            self.observation_noise_covariance,
        )  # fmt: skip
        *filtered, likelihood = found
        filtered = (*filtered, current_times)
        outputs = {**predictions, "log_likelihood": likelihood, "loss": -likelihood}
        if self._postprocessor is not None:
            filtered, outputs = self._postprocessor.process_filtering_step(
                current_times=current_times, current_values=current_values,
                predicted_state=state, filtered_state=filtered, outputs=outputs,
            )  # fmt: skip
        return filtered, outputs

    def _loss_additions(self, times, values, mode):
        """The priors of the covariances, while training."""
        prior = self._configuration.covariance_prior_fn
        if prior is None or mode != ModeKeys.TRAIN:
            return zeros([], self.dtype)
        weight = 1.0
        if (
            self._configuration.bayesian_prior_weighting
            and self._input_statistics is not None
        ):
            count = self._input_statistics.total_observation_count
            weight = 1.0 / cast(count, self.dtype)
        return -weight * add_n([prior(c) for c in self._covariances()])

    # ------------------------------------------------------------------ exogenous
    def _exogenous_input_step(self, current_times, current_exogenous_regressors, state):
        """See SequentialTimeSeriesModel."""
        if self._configuration.exogenous_noise_increases:
            state = self._exogenous_noise_increasing(
                current_times, current_exogenous_regressors, state
            )
        if self._configuration.exogenous_noise_decreases:
            state = self._exogenous_noise_decreasing(
                current_times, current_exogenous_regressors, state
            )
        return state

    def _exogenous_noise_increasing(self, current_times, exogenous_values, state):
        """The state, moved by features, less certain."""
        mean, covariance, before = state
        size = self.get_state_transition().shape[0].value
        with variable_scope("exogenous_noise_increasing_mean", reuse=AUTO_REUSE):
            push = fully_connected(exogenous_values, size, activation_fn=None)
        with variable_scope("exogenous_noise_increasing_covariance", reuse=AUTO_REUSE):
            noise = transform_to_covariance_matrices(exogenous_values, size)
        return mean + push, covariance + noise, before

    def _exogenous_noise_decreasing(self, current_times, exogenous_values, state):
        """The state, after features were observed of it."""
        mean, covariance, before = state
        size = self.get_state_transition().shape[0].value
        with variable_scope("exogenous_noise_decreasing_covariance", reuse=AUTO_REUSE):
            noise = transform_to_covariance_matrices(exogenous_values, size)
        with variable_scope("exogenous_noise_decreasing_observation", reuse=AUTO_REUSE):
            seen = fully_connected(exogenous_values, size, activation_fn=None)
        found = self._kalman_filter.posterior_from_prior_state(
            mean, covariance, seen, eye(size, dtype=self.dtype),
            (mean, noise + covariance), noise,
        )  # fmt: skip
        return (*found, before)

    # ----------------------------------------------------------------- generating
    def generate(
        self, number_of_series: int, series_length: int, model_parameters: Any = None,
        seed: int | None = None, add_observation_noise: bool | None = None,
    ) -> dict[str, Tensor]:  # fmt: skip
        """See TimeSeriesModel.

        Args:
            number_of_series, series_length: ints. model_parameters: dict from tensors,
                such as random_model_parameters gives, to values. seed: int.
            add_observation_noise: whether values have noise; by default, as the model.
        """
        self._check_graph_initialized()
        draw = StateDraws(self, parameter_switch(model_parameters or {}), seed)
        noisy = self._configuration.use_observation_noise
        if add_observation_noise is not None:
            noisy = add_observation_noise
        return draw.series(number_of_series, series_length, noisy)

    def get_features_for_timesteps(self, timesteps: TensorValue) -> dict:
        """Features, beside values, of generated series: none.

        Args:
            timesteps: int64[batch, window].
        """
        return {}
