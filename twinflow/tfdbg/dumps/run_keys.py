"""The names of what a run fetches and is fed."""

import json
from typing import Any, NamedTuple

from twinflow.base import nest

GRPC_URL_PREFIX = "grpc://"


class RunKey(NamedTuple):
    """What tells runs of one session apart."""

    feed_names: list[str]
    fetch_names: list[str]


def get_graph_element_name(elem: Any) -> str:
    """The name of a tensor, operation or variable; of others, what str gives."""
    return elem.name if hasattr(elem, "name") else str(elem)


def get_flattened_names(feeds_or_fetches: Any) -> list[str]:
    """The names within any structure of fetches."""
    return [get_graph_element_name(x) for x in nest.flatten(feeds_or_fetches)]


def get_run_key(feed_dict: dict | None, fetches: Any) -> str:
    """A RunKey as JSON: the names that are fed, and those that are fetched."""
    feeds = feed_dict or {}
    fed = [key if hasattr(key, "name") else value for key, value in feeds.items()]
    return json.dumps(RunKey(get_flattened_names(fed), get_flattened_names(fetches)))
