"""Ops on handles that TensorFlow has as references to strings: here they are resources.

It has most of them twice, with such a reference and (V2) with a resource.
"""

from twinflow.base import dtypes, signature
from twinflow.base.op import define


def nothing(*_, **__):
    """The shapes of an op without outputs."""
    return []


def on_resource(kind, attrs=None):
    """The signature of TensorFlow's OpDef with resources as its handles.

    Args:
        attrs: {name: default} of attributes that are ours, or whose default is.
    """
    sig = signature.of_op_def(kind, attrs=attrs)
    inputs, outputs = (tuple(map(_resource, a)) for a in (sig.inputs, sig.outputs))
    return sig._replace(inputs=inputs, outputs=outputs)


def _resource(arg):
    if arg.ref and arg.dtype is dtypes.string:
        return arg._replace(dtype=dtypes.resource, ref=False)
    return arg


def both(kind, infer, kernel, attrs=None, **facts):
    """Define a stateful op of the host in both its versions.

    Args:
        kind: the type of the older one. infer, kernel, attrs, facts: see base.op.Op.
    Returns:
        The two Ops, the older one first.
    """
    for version in ("", "V2"):
        sig = on_resource(f"{kind}{version}", attrs)
        yield define(sig, infer=infer, host=kernel, stateful=True, **facts)
