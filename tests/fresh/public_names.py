"""Every public name of tf and the call of it that the tests make.

calls.txt has lines for each: its calls, or `- name: why there is none`. `F(value)` in a
call is an input, see calling.py.
"""

import types
from collections import defaultdict
from pathlib import Path

import twinflow as tf

HERE = Path(__file__).parent


def names():
    """{public name without `tf.`: the module it comes from}; one name an object."""
    homes, objects, indexes = {}, set(), [(tf, "")]
    for index, prefix in indexes:
        table = getattr(vars(index).get("__getattr__"), "table", {})
        for name in sorted(table or getattr(index, "__all__", ())):
            value = getattr(index, name)
            if isinstance(value, types.ModuleType):
                known = [module for module, _ in indexes]
                if value.__name__.startswith("twinflow") and value not in known:
                    indexes.append((value, f"{prefix}{name}."))
            elif _is_called(value) and id(value) not in objects:
                objects.add(id(value))
                home = table[name][0] if table else index.__name__
                homes[prefix + name] = home
    return homes


def _is_called(value):
    refused = getattr(value, "refused", None) is True
    return callable(value) and not refused and not isinstance(value, tf.DType)


def calls():
    """{public name: its calls}, and {public name: why it has none}"""
    made, left = defaultdict(list), {}
    for line in (HERE / "calls.txt").read_text().splitlines():
        if line.startswith("- "):
            name, _, reason = line[2:].partition(": ")
            left[name] = reason
        else:
            made[line[3 : line.index("(")]].append(line)
    return made, left
