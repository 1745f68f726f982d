"""Every public name is called in a process that has loaded nothing else for it.

The names of one module share a process: whatever one of them needs is loaded by the
module, or it is missing for the first of them too.
"""

import json

import pytest

from tests.fresh.processes import outcomes
from tests.fresh.public_names import calls, names
from tests.fresh.zygote import Program

PARTS = 4
SOURCE = """
import json
from tests.fresh.calling import called, called_sparse
for call in calls:
    show(json.dumps(called(call)))
for call in calls:
    show(json.dumps(called_sparse(call)))
"""


def programs():
    """A Program for each module that has public names."""
    made, _ = calls()
    of_module = {}
    for name, module in names().items():
        if name in made:
            of_module.setdefault(module, []).extend(made[name])
    return [
        Program(SOURCE, module, values={"calls": of_module[module]})
        for module in sorted(of_module)
    ]


def test_every_public_name_has_a_call():
    made, left = calls()
    assert set(names()) == {*made, *left}
    assert not set(made) & set(left)
    assert all(left.values())


def different(program, found, wanted):
    """Lines on the calls that gave something else than where all is loaded."""
    if len(found) != len(wanted) or "error" in found[-1]:
        return [f"{program.path}: {found[-1]}"]
    lines = []
    for call, *texts in zip(program.values["calls"] * 2, found, wanted, strict=True):
        here, there = (json.loads(text["str"]) for text in texts)
        lines += [
            f"{call} ({mode}):\n  {here[mode]}\n  {there.get(mode)}"
            for mode in here
            if here[mode] != there.get(mode)
        ]
    return lines


@pytest.mark.parametrize("part", range(PARTS))
def test_names_do_the_same_in_a_new_process(part, fresh, loaded):
    lines = []
    for program, found, wanted in outcomes(programs()[part::PARTS], fresh, loaded):
        lines += different(program, found, wanted)
    assert not lines, "\n".join(lines)
