"""A dataset's elements one at a time, for loops of a graph (twinflow.autograph).

The elements are a value of the graph, made anew whenever the loop starts; what is taken
next is an Optional, which the loop carries.
"""

from typing import Any

import numpy as np

from twinflow.base import dispatch, dtypes
from twinflow.base.dispatch import apply
from twinflow.base.op import define
from twinflow.base.tensor import Tensor
from twinflow.data.experimental.optional import Optional, OptionalNone, boxed
from twinflow.data.functions import Env, symbolic
from twinflow.data.iterators.ops import export_element
from twinflow.data.value_structures import ValueStructure
from twinflow.execute.interpreter import special_steps
from twinflow.ops.core.infer import scalar

StartElements = define(
    "TwinStartElements(inputs: N*Tin) -> (source: variant); dataset=None",
    infer=None,
    export=export_element,
    stateful=True,
    host=True,
)


def _start_step(asm: Any, node: Any, program: Any) -> Any:
    places = [asm.slot(t, program) for t in node.inputs]
    (out,) = (asm.slot(t, program) for t in node.outputs)
    dataset, inputs = node.attrs["dataset"]

    def run(v: Any) -> None:
        env = Env(dict(zip(inputs, [v[i] for i in places], strict=True)), asm.cell_of)
        box = np.empty((), object)
        box[()] = iter(dataset.start(env)())
        v[out] = box

    return run


special_steps["TwinStartElements"] = _start_step


def _next(source: Any) -> Any:
    return boxed(next(np.asarray(source, object)[()], None))


NextElement = define(
    "TwinNextElement(source: variant) -> (optional: variant)",
    infer=scalar,
    kernel=lambda xp: _next,
    export=export_element,
    stateful=True,
    host=True,
)


class Elements:
    """The elements of a dataset in a loop of a graph, each an Optional as a tensor."""

    def __init__(self, dataset: Any) -> None:
        mode, self.form = dispatch.current_mode(), ValueStructure.of(dataset.structure)
        inputs = symbolic(list(dataset.inputs))
        (self.source,) = mode.append_node(
            StartElements, [[mode.tensor(t) for t in inputs]],
            {"dataset": (dataset, inputs)}, "Elements", [(dtypes.variant, ())],
        ).outputs  # fmt: skip

    def next(self) -> Tensor:
        """The next element."""
        return apply(NextElement, (self.source,))

    def none(self) -> Tensor:
        """No element."""
        return apply(OptionalNone, ())

    def is_there(self, box: Tensor) -> Tensor:
        """bool[]: whether it is one."""
        return Optional(box, self.form).has_value()

    def value(self, box: Tensor) -> Any:
        """What it is, as the dataset's elements are."""
        return Optional(box, self.form).get_value()
