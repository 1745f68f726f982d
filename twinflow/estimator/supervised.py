"""Metrics as the outputs of a graph: their names, their values and updates."""

METRIC_VALUE = "value"
METRIC_UPDATE = "update_op"


def joined_key(key):
    """The key; a tuple of strings is joined."""
    return "/".join(key) if isinstance(key, tuple) else key


def metric_pair(metric):
    """(value, update op) of a metric, which may be an object of tf.keras."""
    if hasattr(metric, "result") and hasattr(metric, "updates"):
        value = metric.result()
        if len(metric.updates) != 1:
            raise ValueError(
                "Expected a single update op for metric, got "
                f"{len(metric.updates)}: {metric}"
            )
        return value, metric.updates[0]
    value, update_op = metric
    return value, update_op
