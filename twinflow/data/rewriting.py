"""Chains of transforms rewritten before they start, as Options ask for.

Note [Rewriting]: a dataset remembers the transform that made it, so the same transforms
can be put after each other once more, some of them in other words: two maps as one,
filters as one, a map inside the batches that it fills. What `assert_next` claims of the
transforms that follow it is checked on the rewritten chain.
"""

import os
from collections.abc import Callable
from typing import Any, NamedTuple

from twinflow.base import errors
from twinflow.data.pipeline import parallel, stages

_ALIKE = {  # by its count: none, all, some
    "RepeatDataset": ("EmptyRepeat", "ForeverRepeat", "FiniteRepeat"),
    "TakeDataset": ("EmptyTake", "FiniteTake", "FiniteTake"),
    "SkipDataset": ("FiniteSkip", "EmptySkip", "FiniteSkip"),
}
_IDLE = {"RepeatDataset": 1, "TakeDataset": -1, "SkipDataset": 0}
_SILENT = ("AssertNext", "Optimize", "_Options", "Model")
_MAPS = ("MapDataset", "ParallelMapDataset")


class Link(NamedTuple):
    """A transform.

    Attributes:
        kind: its name. step: from (env, source) to the source of the result.
        structure: of the result. inputs: graph tensors that it needs.
        facts: what is known of it: its function, or its count.
    """

    kind: str
    step: Callable
    structure: Any
    inputs: list
    facts: dict

    @property
    def name(self):
        """What TensorFlow calls its iterator."""
        if self.kind in _ALIKE:
            count = self.facts["count"]
            none, every, some = _ALIKE[self.kind]
            return none if count == 0 else every if count == -1 else some
        if self.kind == "CacheDataset":
            return "MemoryCache"
        return self.kind.removesuffix("Dataset")


def finished(dataset):
    """The dataset as it is to be started: rewritten if it was asked for."""
    links, first = [], dataset
    while first._link is not None:
        links.append(first._link)
        (first,) = first._before
    links.reverse()
    wanted = dict.fromkeys(dataset.options()._static_optimizations())
    for link in links:
        wanted.update(dict.fromkeys(link.facts.get("rewrites", ())))
    if not wanted and all(link.kind != "AssertNextDataset" for link in links):
        return dataset
    for name, rule in _RULES.items():
        if name in wanted:
            links = _everywhere(rule, links)
    for i, link in enumerate(links):
        if link.kind == "AssertNextDataset":
            link = _checking(link, links[i + 1 :])
        first = first._then(*link[:4], **link.facts)
    first._options = dataset.options()
    return first


def _checking(link, following):
    """The link of an assertion: it fails at the start if it does not hold."""
    found = [n.name for n in following if n.name not in _SILENT]
    wanted, text = link.facts["transformations"], None
    if len(wanted) > len(found):
        text = (
            f"Asserted next {len(wanted)} transformations but encountered only "
            f"{len(found)}."
        )
    else:
        for i, (a, b) in enumerate(zip(wanted, found)):
            if a != b:
                text = (
                    f"Asserted {a} transformation at offset {i} but encountered {b} "
                    "transformation instead."
                )
                break

    def step(env, source):
        if text is not None:
            raise errors.invalid(text)
        return source

    return link._replace(step=step)


# ---------------------------------------------------------------------- rules
def _everywhere(rule, links):
    """Replace one or two links at a time by what a rule gives for them, or None."""
    done: list = []
    for link in links:
        found = rule(done[-1] if done else None, link)
        if found is None:
            done.append(link)
        else:
            replaced, new = found
            done[len(done) - replaced :] = new
    return done


def _without(before, link):
    """Transforms that change nothing are left out."""
    count = link.facts.get("count")
    idle = isinstance(count, int) and _IDLE.get(link.kind) == count
    return (0, []) if idle else None


def _two(before, link, first, second):
    """Whether links of these kinds follow each other, with functions that draw not."""
    if before is None or before.kind not in first or link.kind not in second:
        return False
    functions = [n.facts.get("function") for n in (before, link)]
    return not any(f is not None and f.draws for f in functions)


def _joined(before, link, step, kind, **facts):
    inputs = [*before.inputs, *link.inputs]
    return 1, [Link(kind, step, link.structure, inputs, facts)]


def _one_map(before, link):
    if not _two(before, link, ("MapDataset",), ("MapDataset",)):
        return None
    function = _After(before.facts["function"], link.facts["function"])
    step = lambda env, source: stages.mapped(source, function.start(env))
    return _joined(before, link, step, "MapDataset", function=function)


def _one_filter(before, link):
    if not _two(before, link, ("FilterDataset",), ("FilterDataset",)):
        return None
    function = _Both(before.facts["function"], link.facts["function"])
    step = lambda env, source: stages.filtered(source, function.start(env))
    return _joined(before, link, step, "FilterDataset", function=function)


def _map_then_filter(before, link):
    """The map works out the truth value, as a last component."""
    if not _two(before, link, ("MapDataset",), ("FilterDataset",)):
        return None
    f, p = before.facts["function"], link.facts["function"]

    def work(env, source):
        run, holds = f.start(env), p.start(env)

        def both(element):
            found = run(element)
            return [*found, holds(found)]

        return stages.mapped(source, both)

    def choose(env, source):
        chosen = stages.filtered(source, lambda element: element[-1])
        return stages.mapped(chosen, lambda element: list(element[:-1]))

    last = Link("FilterByLastComponentDataset", choose, link.structure, [], {})
    inputs = [*before.inputs, *link.inputs]
    return 1, [Link("MapDataset", work, before.structure, inputs, {}), last]


def _parallel(before, link):
    if link.kind != "MapDataset" or not link.facts or link.facts["function"].draws:
        return None
    start, workers = link.facts["function"].start, os.cpu_count() or 1
    step = lambda env, source: parallel.mapped_in_parallel(source, start(env), workers)
    return 0, [link._replace(kind="ParallelMapDataset", step=step)]


def _in_one(first, second, kind):
    def rule(before, link):
        if before is None or before.kind not in first or link.kind != second:
            return None
        step = lambda env, source: link.step(env, before.step(env, source))
        return _joined(before, link, step, kind)

    return rule


class _After:
    """A function after another one; both are Functions of data.functions."""

    draws = False

    def __init__(self, first, second):
        self.first, self.second = first, second

    def start(self, env):
        """See ElementFunction.start."""
        first, second = self.first.start(env), self.second.start(env)
        return lambda element: second(first(element))


class _Both(_After):
    def start(self, env):
        first, second = self.first.start(env), self.second.start(env)
        return lambda element: first(element) and second(element)


_RULES = {
    "noop_elimination": _without,
    "map_fusion": _one_map,
    "filter_fusion": _one_filter,
    "map_and_filter_fusion": _map_then_filter,
    "map_parallelization": _parallel,
    "map_and_batch_fusion": _in_one(_MAPS, "BatchDataset", "MapAndBatchDataset"),
    "shuffle_and_repeat_fusion": _in_one(
        ("ShuffleDataset",), "RepeatDataset", "ShuffleAndRepeatDataset"
    ),
}
