"""The names of features of time series models."""


class State:
    """Names of the state of a model."""

    STATE_TUPLE = "start_tuple"
    STATE_PREFIX = "model_state"


class Times:
    """The name of the times."""

    TIMES = "times"


class Values:
    """The name of the values."""

    VALUES = "values"


class TrainEvalFeatures(Times, Values):
    """Names of what training and evaluation take."""


class PredictionFeatures(Times, State):
    """Names of what predictions take."""


class FilteringFeatures(Times, Values, State):
    """Names of what filtering takes."""


class PredictionResults(Times):
    """Names of what predictions give."""


class FilteringResults(Times, State):
    """Names of what filtering and evaluation give."""


class SavedModelLabels:
    """Names of the signatures of an exported model."""

    PREDICT = "serving_default"
    FILTER = "filter"
    COLD_START_FILTER = "cold_start_filter"
