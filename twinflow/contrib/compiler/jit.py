"""tf.contrib.compiler.jit: marks on nodes that ask to be compiled together.

A mark is a wish: clusters of nodes are compiled where they are run often, marked or not
(see `TWINFLOW_COMPILE`). The marks are kept in GraphDefs, for TensorFlow to heed.
"""

import contextlib
from collections.abc import Iterator
from typing import Any

from twinflow.base.dispatch import current_mode
from twinflow.formats.protos import AttrValue

_STATE = "scopes of compilation"  # in the state of a graph: [how many, depth]


@contextlib.contextmanager
def experimental_jit_scope(
    compile_ops: Any = True, separate_compiled_gradients: bool = False
) -> Iterator[None]:
    """A block whose nodes ask to be compiled together, or not to be; see the module.

    Args:
        compile_ops: a bool, or a function of a NodeDef that gives one.
        separate_compiled_gradients: whether gradients are to be compiled on their own.
    Example:
        with tf.Graph().as_default(), tf.contrib.compiler.jit.experimental_jit_scope():
            x = tf.ones([2]) * 2.0
        x.op.get_attr("_XlaScope")  # b"jit_scope_0"
    """
    mode = current_mode()
    if mode.eager:  # there are no nodes to mark
        yield
        return
    scopes = mode.state.setdefault(_STATE, [0, 0])
    marks: dict[str, Any] = {
        "_XlaCompile": _asked(compile_ops),
        "_XlaSeparateCompiledGradients": AttrValue(b=bool(separate_compiled_gradients)),
    }
    if not scopes[1]:
        marks["_XlaScope"] = AttrValue(s=f"jit_scope_{scopes[0]}".encode())
        scopes[0] += 1
    scopes[1] += 1
    try:
        with mode._attr_scope(marks):
            yield
    finally:
        scopes[1] -= 1


def _asked(compile_ops: Any) -> Any:
    if callable(compile_ops):
        return lambda node: AttrValue(b=bool(compile_ops(node.node_def)))
    return AttrValue(b=bool(compile_ops))
