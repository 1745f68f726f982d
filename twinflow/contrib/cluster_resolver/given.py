"""Clusters that are told, and unions of clusters."""

from typing import Any

from twinflow.train.cluster import ClusterSpec


class ClusterResolver:
    """What knows the tasks of a cluster; subclasses say where from."""

    def cluster_spec(self) -> Any:
        """The ClusterSpec, as it is now.

        Raises:
            NotImplementedError: the class does not say.
        """
        raise NotImplementedError(f"cluster_spec is not implemented for {self}.")

    def master(self) -> Any:
        """The target for sessions.

        Raises:
            NotImplementedError: the class does not say.
        """
        raise NotImplementedError(f"master is not implemented for {self}.")


class SimpleClusterResolver(ClusterResolver):
    """A cluster that is known.

    Args:
        cluster_spec: its ClusterSpec. master: the target for sessions.
    Raises:
        TypeError: it is no ClusterSpec.
    Example:
        spec = tf.train.ClusterSpec({"worker": ["worker0:2222"]})
        resolver = tf.contrib.cluster_resolver.SimpleClusterResolver(spec)
        resolver.cluster_spec() == spec  # True
    """

    def __init__(self, cluster_spec: ClusterSpec, master: str = "") -> None:
        if not isinstance(cluster_spec, ClusterSpec):
            raise TypeError("cluster_spec must be a ClusterSpec.")
        self._cluster_spec, self._master = cluster_spec, master

    def cluster_spec(self) -> ClusterSpec:
        """The ClusterSpec."""
        return self._cluster_spec

    def master(self) -> str:
        """The target for sessions."""
        return self._master


class UnionClusterResolver(ClusterResolver):
    """The tasks of several clusters.

    Args:
        args: ClusterResolvers; the first one's master is that of all.
    Raises:
        ValueError: there are none. TypeError: one is no ClusterResolver.
    """

    def __init__(self, *args: ClusterResolver) -> None:
        if not args:
            raise ValueError("At least one ClusterResolver is required.")
        if not all(isinstance(a, ClusterResolver) for a in args):
            raise TypeError("All arguments must be a sub-class of `ClusterResolver.`")
        self._resolvers = args

    def cluster_spec(self) -> ClusterSpec:
        """The tasks of all: lists behind one another, or numbered tasks together.

        Raises:
            KeyError: two tasks of a job have the same number.
        """
        specs = [r.cluster_spec() for r in self._resolvers]
        names = dict.fromkeys(job for spec in specs for job in spec.jobs)
        return ClusterSpec({job: _merged(job, specs) for job in names})

    def master(self) -> Any:
        """The target for sessions of the first."""
        return self._resolvers[0].master()


def _merged(job: str, specs: list) -> Any:
    """The tasks of a job: a list where no cluster numbers them with gaps."""
    parts = [spec.as_dict()[job] for spec in specs if job in spec.jobs]
    if all(isinstance(p, list) for p in parts):
        return [task for part in parts for task in part]
    numbered = [dict(enumerate(p)) if isinstance(p, list) else p for p in parts]
    found: dict = {}
    for part in numbered:
        twice = set(found) & set(part)
        if twice:
            raise KeyError(
                f"Duplicate keys detected when merging two ClusterSpecs: {twice!r}"
            )
        found.update(part)
    return found
