"""Dataset.reduce: one state, carried through all elements."""

import itertools

from twinflow.base import dispatch, errors
from twinflow.base.op import define
from twinflow.data import sources
from twinflow.data.functions import ElementFunction, Env, symbolic
from twinflow.data.iterators.ops import export_element, with_dataset
from twinflow.data.structure import (
    OfStructure,
    Structure,
    compatible,
    merged,
    same_form,
)
from twinflow.eager.tensor import wrap
from twinflow.execute.interpreter import special_steps

ReduceDataset = define(
    "ReduceDataset(initial_state: N*Tstate, inputs: N*Tin) -> (components: N*Tstate)"
    "; dataset=None, f=None",
    infer=None,
    export=with_dataset(export_element),
    stateful=True,
    host=True,
)


def reduced(dataset, initial_state, function):
    """The last state of `dataset.reduce`; see there."""
    first, structure = sources.components(initial_state)
    traced = stable(function, structure, dataset.structure)
    structure = traced.structure
    mode = dispatch.current_mode()
    if mode.eager:
        env = Env()
        found = _run(dataset, traced, [env.value(s) for s in first], env)
        return structure.pack([wrap(a, d) for a, d in zip(found, structure.types)])
    inputs = symbolic([*dataset.inputs, *traced.inputs])
    attrs = {"dataset": dataset, "f": (traced, inputs)}
    args = [[mode.tensor(s) for s in first], [mode.tensor(t) for t in inputs]]
    specs = list(zip(structure.types, structure.shapes))
    node = mode.append_node(ReduceDataset, args, attrs, "ReduceDataset", specs)
    return structure.pack(node.outputs)


def stable(function, state, element):
    """The function of a state, traced; the state's shape is relaxed until it stays."""
    while True:
        found = ElementFunction.of(function, state, element)
        result = found.structure
        same = same_form(state.template, result.template)
        if not same or state.types != result.types:
            raise TypeError(
                "The element types for the new state must match the initial state. "
                f"Expected {state.output_types}; got {result.output_types}."
            )
        if all(map(_holds, state.shapes, result.shapes)):
            found.structure = state
            return found
        shapes = map(merged, state.shapes, result.shapes)
        state = Structure(state.template, state.types, shapes)


def _holds(general, special):
    """Whether each value of static shape `special` also has `general`."""
    if general is None:
        return True
    fits = special is not None and compatible(general, special)
    return fits and all(g is None or s is not None for g, s in zip(general, special))


def _run(dataset, traced, state, env):
    function = traced.start(env)
    for element in dataset.start(env)():
        state = function([*state, *element])
    return state


def _reduce_step(asm, node, program):
    places = [asm.slot(t, program) for t in node.inputs]
    outs = [asm.slot(t, program) for t in node.outputs]
    dataset, (traced, inputs) = node.attrs["dataset"], node.attrs["f"]

    def run(v):
        values = [v[i] for i in places]
        env = Env(dict(zip(inputs, values[len(outs) :])), asm.cell_of)
        found = _run(dataset, traced, values[: len(outs)], env)
        for out, value in zip(outs, found, strict=True):
            v[out] = value

    return run


special_steps["ReduceDataset"] = _reduce_step


# ---------------------------------------------------------------------- one element
DatasetToSingleElement = define(
    "DatasetToSingleElement(inputs: N*Tin) -> (components: N*Tout); dataset=None",
    infer=None,
    export=with_dataset(export_element),
    stateful=True,
    host=True,
)


def single(dataset):
    """The one element of a dataset, as tensors.

    Raises:
        InvalidArgumentError: it has none, or more.
    """
    if not isinstance(dataset, OfStructure):
        raise TypeError("`dataset` must be a `tf.data.Dataset` object.")
    mode, structure = dispatch.current_mode(), dataset.structure
    if mode.eager:
        found = _only(dataset, Env())
        return structure.pack([wrap(a, d) for a, d in zip(found, structure.types)])
    inputs = [[mode.tensor(t) for t in dataset.inputs]]
    specs = list(zip(structure.types, structure.shapes))
    node = mode.append_node(
        DatasetToSingleElement, inputs, {"dataset": dataset},
        "DatasetToSingleElement", specs,
    )  # fmt: skip
    return structure.pack(node.outputs)


def _only(dataset, env):
    found = list(itertools.islice(dataset.start(env)(), 2))
    if len(found) != 1:
        text = "Dataset had more than one element." if found else "Dataset was empty."
        raise errors.invalid(text)
    return found[0]


def _single_step(asm, node, program):
    places = [asm.slot(t, program) for t in node.inputs]
    outs = [asm.place(t, program) for t in node.outputs]
    dataset = node.attrs["dataset"]

    def run(v):
        values = dict(zip(dataset.inputs, [v[i] for i in places]))
        for out, array in zip(outs, _only(dataset, Env(values, asm.cell_of))):
            v[out] = array

    return run


special_steps["DatasetToSingleElement"] = _single_step
