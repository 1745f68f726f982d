"""tensorflow.python.framework.test_ops: ops for tests of graphs; none of them runs.

Loading this module makes them ops like others: graphs and GraphDefs may hold them.
"""

import re
from pathlib import Path

from twinflow.base import errors, op_defs
from twinflow.base.op import define
from twinflow.base.op_lookup import known_op
from twinflow.compat.door import generated
from twinflow.compat.door.op_def_library import OpDefLibrary
from twinflow.formats.attr_values import op_def_proto

_SCALARS = {"GraphDefVersion", "KernelLabel", "KernelLabelRequired", "Old"}


def _infer(kind):
    """The shape rule: sizes are unknown, but for scalars."""
    definition = op_defs.find(kind)
    shape = () if kind in _SCALARS else None

    def infer(*inputs, **attrs):
        found = []
        for arg in definition.outputs:
            count = attrs[arg.number_attr] if arg.number_attr else 1
            found += [shape] * (len(attrs[arg.list_attr]) if arg.list_attr else count)
        single = len(definition.outputs) == 1 and arg.number_attr is arg.list_attr
        return found[0] if single else found

    return infer


def _kernel(kind):
    def refuse(*arrays, **attrs):
        raise errors.InvalidArgumentError(
            None, None, f"No OpKernel was registered to support Op '{kind}': it is one "
            "for tests of graphs.",
        )  # fmt: skip

    return refuse


def _defined(kind):
    definition = op_defs.find(kind)
    attrs = {a.list_attr: None for a in definition.outputs if a.list_attr}
    attrs |= {a.number_attr: None for a in definition.outputs if a.number_attr}
    define(
        kind, infer=_infer(kind), host=_kernel(kind), attrs=attrs,
        stateful="stateful" in definition.flags,
    )  # fmt: skip


_PATH = "python.framework.test_ops"
_KINDS = op_defs.add(Path(__file__).with_suffix(".txt").read_text("utf-8"))
for _kind in _KINDS:
    if known_op(_kind) is None:
        _defined(_kind)
_BY_NAME = {re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", k).lower(): k for k in _KINDS}
_op_def_lib = OpDefLibrary()
for _kind in _KINDS:
    _op_def_lib.add_op(op_def_proto(op_defs.find(_kind)))


def __getattr__(name):
    kind = _BY_NAME.get(name.removeprefix("_"))
    if kind is None:
        raise AttributeError(name)
    spec = generated.signature_of(kind, None)
    found = globals()[name] = generated._made(_PATH, name, spec, known_op(kind))
    return found
