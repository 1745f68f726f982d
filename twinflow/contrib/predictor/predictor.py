"""What predictors have: a graph, a session, and tensors by name."""

import abc
from operator import attrgetter
from typing import Any


class Predictor(abc.ABC):
    """A function from a dict of arrays to a dict of arrays.

    A subclass sets `_graph`, `_session`, `_feed_tensors` and `_fetch_tensors`.
    """

    _graph: Any
    _session: Any
    _feed_tensors: dict
    _fetch_tensors: dict

    graph = property(attrgetter("_graph"), doc="The Graph.")
    session = property(attrgetter("_session"), doc="The Session.")
    feed_tensors = property(attrgetter("_feed_tensors"), doc="What is fed, by name.")
    fetch_tensors = property(attrgetter("_fetch_tensors"), doc="What comes, by name.")

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__} with feed tensors {self._feed_tensors} and "
            f"fetch_tensors {self._fetch_tensors}"
        )

    def __call__(self, input_dict: dict) -> dict:
        """The outputs.

        Args:
            input_dict: arrays by the names of `feed_tensors`.
        Returns:
            Arrays by the names of `fetch_tensors`.
        Raises:
            ValueError: a name is another one.
        """
        unknown = set(input_dict) - set(self._feed_tensors)
        if unknown:
            raise ValueError(
                f"Got unexpected keys in input_dict: {unknown}\n"
                f"expected: {set(self._feed_tensors)}"
            )
        feeds = {
            self._feed_tensors[name]: value
            for name, value in input_dict.items()
            if value is not None
        }
        return self._session.run(self._fetch_tensors, feed_dict=feeds)
