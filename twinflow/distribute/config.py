"""DistributeConfig: the strategies of training and of evaluating."""

import collections
from typing import Any

_Settings = collections.namedtuple(
    "_Settings", ["train_distribute", "eval_distribute", "remote_cluster"]
)


class DistributeConfig(_Settings):
    """The strategies of training and of evaluating.

    Args:
        train_distribute, eval_distribute: a DistributionStrategy each.
        remote_cluster: accepted.
    """

    def __new__(
        cls, train_distribute: Any = None, eval_distribute: Any = None,
        remote_cluster: Any = None,
    ):  # fmt: skip
        return super().__new__(cls, train_distribute, eval_distribute, remote_cluster)
