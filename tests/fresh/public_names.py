"""Every public name of tf and the call of it that the tests make.

A function that base.factory makes of an op of floats is called on floats. calls.txt has
lines for the others: their calls, or `- name: why there is none`. `F(value)` in a call
is an input, see calling.py.
"""

import operator
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


def of_ops():
    """{public name: its calls} of the functions that base.factory makes."""
    made = {}
    for name in names():
        value = operator.attrgetter(name)(tf)
        facts = getattr(value, "facts", None)
        if facts and tf.float32 in value.op.types.get("T", ()):
            inputs = ", ".join(["F([1., 2.])"] * len(facts[2]))
            made[name] = [f"tf.{name}({inputs})"]
    return made


def calls():
    """{public name: its calls}, and {public name: why it has none}"""
    made, left = defaultdict(list, of_ops()), {}
    for line in (HERE / "calls.txt").read_text().splitlines():
        if line.startswith("- "):
            name, _, reason = line[2:].partition(": ")
            left[name] = reason
        else:
            made[line[3 : line.index("(")]].append(line)
    return made, left
