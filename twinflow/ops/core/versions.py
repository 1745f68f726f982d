"""Ops on handles: TensorFlow has most twice, with a reference to a string and (V2) with
a resource as the handle. Here both have a resource.
"""

from twinflow.base.op import define


def nothing(*_, **__):
    """The shapes of an op without outputs."""
    return []


def both(kind, infer, kernel, attrs=None, **facts):
    """Define a stateful op of the host in both its versions.

    Args:
        kind: the type of the older one. infer, kernel, attrs, facts: see base.op.Op.
    Returns:
        The two Ops, the older one first.
    """
    facts |= {"attrs": attrs, "host": kernel, "stateful": True}
    for op_type in (kind, f"{kind}V2"):
        yield define(op_type, infer, **facts)
