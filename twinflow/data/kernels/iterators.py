"""Imported nodes that go over datasets: as those that graphs here have.

TensorFlow's nodes take a dataset as an input; here a node has it as an attribute, of
which the tensor that will hold the value is an input.
"""

from typing import Any

from twinflow.base import dtypes
from twinflow.data.dataset import Dataset
from twinflow.data.experimental.record_writer import DatasetToTFRecord, TFRecordWriter
from twinflow.data.functions import symbolic
from twinflow.data.iterators.ops import IteratorCell, MakeIterator, OneShotIterator
from twinflow.data.kernels.values import Imported, form_of, of_tensor, started
from twinflow.data.reduce import DatasetToSingleElement, ReduceDataset
from twinflow.execute.call import program_of
from twinflow.execute.library_graph import graph_of
from twinflow.execute.plan import Plan
from twinflow.execute.tiers import INTERPRET
from twinflow.graph.graph_def import made


def _form(attrs: dict) -> Any:
    return form_of(attrs.get("output_types", ()), attrs.get("output_shapes"))


def _specs(form: Any) -> list:
    return list(zip(form.types, form.shapes, strict=True))


def _maker(graph: Any, name: str, args: list, attrs: dict) -> None:
    tensor, iterator = args
    dataset = of_tensor(tensor, _form(iterator.op.attrs))
    graph.append_node(
        MakeIterator, [iterator, [tensor]], {"dataset": dataset}, name, []
    )


def of_factory(function: Any, form: Any) -> Dataset:
    """The Dataset that a LibraryFunction without arguments gives."""

    def start(env: Any) -> Any:
        graph = graph_of(function)
        plan = Plan(program_of(graph, graph.outputs), env.cell_of, INTERPRET)
        (box,) = plan.run([])
        return started(box, form, env)

    found = Dataset("FactoryDataset", form, start)
    found._factory = function
    return found


def _one_shot(graph: Any, name: str, args: list, attrs: dict) -> None:
    form, function = _form(attrs), attrs["dataset_factory"]
    cell = IteratorCell("OneShotIterator", form.types, form.shapes)
    own = {"cell": cell, "dataset": of_factory(function, form)}
    graph.append_node(OneShotIterator, [], own, name, [(dtypes.resource, ())])


def _reduced(graph: Any, name: str, args: list, attrs: dict) -> None:
    tensor, state, others = args
    form = _form(attrs)
    dataset, function = of_tensor(tensor, form), Imported(attrs["f"], others)
    inputs = symbolic([tensor, *others])
    own = {"dataset": dataset, "f": (function, inputs)}
    graph.append_node(ReduceDataset, [state, inputs], own, name, _specs(form))


def _single(graph: Any, name: str, args: list, attrs: dict) -> None:
    form = _form(attrs)
    own = {"dataset": of_tensor(args[0], form)}
    graph.append_node(DatasetToSingleElement, [args], own, name, _specs(form))


def _written(graph: Any, name: str, args: list, attrs: dict) -> None:
    inputs = symbolic(args)
    dataset = of_tensor(args[0], form_of([dtypes.string], [()]))
    own = {"dataset": dataset, "writer": (TFRecordWriter(*args[1:]), inputs)}
    graph.append_node(DatasetToTFRecord, [inputs], own, name, [])


made.RULES.update({
    "MakeIterator": _maker,
    "OneShotIterator": _one_shot,
    "ReduceDataset": _reduced,
    "DatasetToSingleElement": _single,
    "DatasetToTFRecord": _written,
})  # fmt: skip
