"""What an input function gives: features, labels, and hooks that start its data."""

from twinflow.base.advice import advised
from twinflow.data.dataset import Dataset
from twinflow.train.session_run_hook import SessionRunHook


class DatasetInitializerHook(SessionRunHook):
    """Starts the iterator of an input function in each new session."""

    def __init__(self, iterator):
        self._iterator = iterator

    def begin(self):
        self._initializer = self._iterator.initializer

    def after_create_session(self, session, coord):
        del coord
        session.run(self._initializer)


class MultiHostDatasetInitializerHook(SessionRunHook):
    """Runs the initializers of several data sets in each new session."""

    def __init__(self, dataset_initializers):
        self._initializers = dataset_initializers

    def after_create_session(self, session, coord):
        del coord
        session.run(self._initializers)


class StrategyInitFinalizeHook(SessionRunHook):
    """Runs what a strategy needs before and after."""

    def __init__(self, initialization_fn, finalize_fn):
        self._initialization_fn, self._finalize_fn = initialization_fn, finalize_fn

    def begin(self):
        self._init_ops = self._initialization_fn()
        self._finalize_ops = self._finalize_fn()

    def after_create_session(self, session, coord):
        del coord
        session.run(self._init_ops)

    def end(self, session):
        session.run(self._finalize_ops)


def parse_input_fn_result(result):
    """(features, labels, hooks) of what an input function gives."""
    hooks = []
    if isinstance(result, Dataset):
        iterator = result.make_initializable_iterator()
        hooks.append(DatasetInitializerHook(iterator))
        result = iterator.get_next()
    return *parse_iterator_result(result), hooks


def parse_iterator_result(result):
    """(features, labels); labels are None where there are none.

    Raises:
        ValueError: a tuple of another length than two.
    """
    if isinstance(result, list | tuple):
        if len(result) != 2:
            raise advised(
                ValueError,
                "input_fn should return (features, labels) as a len 2 tuple.",
            )
        return result[0], result[1]
    return result, None
