"""Transforms that change nodes one by one: attributes, types, devices, names."""

from typing import Any

from twinflow.base import op_defs
from twinflow.base.errors import invalid
from twinflow.base.op_defs import NO_DEFAULT
from twinflow.formats import attr_values, protos
from twinflow.transforms.parsing import Options
from twinflow.transforms.wiring import each, redirected, users, with_nodes

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def _only(options: Options, names: list[str], text: str) -> list[str]:
    """The values of parameters that must be given once each."""
    found = [options.all(name) for name in names]
    if any(len(values) != 1 for values in found):
        raise invalid(text)
    return [value for (value,) in found]


def _chosen(node: Any, options: Options) -> bool:
    return options.one("op_name", "*") in ("*", node.op)


def rename_attribute(node: Any, options: Options) -> None:
    """Give an attribute of nodes (of the type op_name) another name."""
    names = ["old_attribute_name", "new_attribute_name"]
    old, new = _only(
        options, names, "remove_nodes expects exactly one 'old_attribute_name' and one "
        "'new_attribute_name' argument, e.g. remove_attribute(old_attribute_name=foo, "
        "new_attribute_name=bar)",
    )  # fmt: skip
    if _chosen(node, options) and old in node.attr:
        node.attr[new].CopyFrom(node.attr[old])
        del node.attr[old]


def remove_attribute(node: Any, options: Options) -> None:
    """Take an attribute from nodes (of the type op_name)."""
    (name,) = _only(
        options, ["attribute_name"], "remove_attribute expects exactly one "
        "'attribute_name' argument, e.g. remove_attribute(op_name=Mul, "
        "attribute_name=foo)",
    )  # fmt: skip
    if _chosen(node, options) and name in node.attr:
        del node.attr[name]


def rename_op(node: Any, options: Options) -> None:
    """Make nodes of one type nodes of another."""
    old, new = _only(
        options, ["old_op_name", "new_op_name"], "remove_nodes expects exactly one "
        "'old_op_name' and 'new_op_name' argument, e.g. rename_op(old_op_name=Mul, "
        "new_op_name=Multiply)",
    )  # fmt: skip
    if node.op == old:
        node.op = new


def set_device(node: Any, options: Options) -> None:
    """Put nodes (if_default: those without one) on a device."""
    if not options.flag("if_default") or not node.device:
        node.device = options.one("device")


def remove_device(node: Any, options: Options) -> None:
    """Put nodes on no device."""
    node.device = ""


def remove_control_dependencies(node: Any, options: Options) -> None:
    """Let nodes wait for nothing."""
    node.input[:] = [text for text in node.input if text[0] != "^"]


def add_default_attributes(node: Any, options: Options) -> None:
    """Write out the attributes that have the default of their OpDefs."""
    found = op_defs.find(node.op)
    for attr in found.attrs.values() if found else ():
        if attr.name not in node.attr and attr.default is not NO_DEFAULT:
            value = attr_values.to_proto(attr.default, attr.type)
            node.attr[attr.name].CopyFrom(value)


def backport_concatv2(node: Any, options: Options) -> None:
    """Make ConcatV2 what was there before: the axis comes first."""
    if node.op == "ConcatV2":
        node.op = "Concat"
        data = [text for text in node.input if text[0] != "^"]
        node.input[: len(data)] = [data[-1], *data[:-1]]
        node.attr.pop("Tidx", None)


def obfuscate_names(graph_def: Any, inputs: Any, outputs: Any, options: Any) -> Any:
    """Number the nodes that are no inputs or outputs, in place of their names."""
    kept, names, count = {*inputs, *outputs}, {}, 0
    for node in graph_def.node:
        if node.name not in kept:
            while (name := _short(count)) in kept:
                count += 1
            names[node.name], count = name, count + 1
    found = with_nodes(graph_def, graph_def.node)
    for node in found.node:
        node.name = names.get(node.name, node.name)
        node.input[:] = [_renamed(text, names) for text in node.input]
    return found


def _short(number: int) -> str:
    text = ""
    while True:
        number, digit = divmod(number, len(_DIGITS))
        text = _DIGITS[digit] + text
        if not number:
            return text


def _renamed(text: str, names: dict[str, str]) -> str:
    caret = "^" * (text[0] == "^")
    name, colon, place = text.removeprefix("^").partition(":")
    return f"{caret}{names.get(name, name)}{colon}{place}"


def insert_logging(graph_def: Any, inputs: Any, outputs: Any, options: Any) -> Any:
    """Print what nodes (of the types `op`, or with a `prefix`) give."""
    kinds, starts = set(options.all("op")), tuple(options.all("prefix"))
    chosen = {
        n.name: n for n in graph_def.node
        if (n.op in kinds or (starts and n.name.startswith(starts)))
        and "T" in n.attr and n.name in users(graph_def) and n.name not in outputs
    }  # fmt: skip
    nodes = redirected(graph_def.node, {name: f"{name}__print__:0" for name in chosen})
    for name, node in chosen.items():
        nodes.append(_print(node, f"{name}__print__", options))
    return with_nodes(graph_def, nodes)


def _print(node: Any, name: str, options: Options) -> Any:
    made = protos.NodeDef(name=name, op="Print", input=[f"{node.name}:0"] * 2)
    parts = [f";{node.op};"] if options.flag("show_op") else []
    parts += [f";{name};"] if options.flag("show_name") else []
    made.attr["message"].s = "".join([*parts, options.one("message")]).encode()
    made.attr["T"].type = node.attr["T"].type
    made.attr["U"].list.type.append(node.attr["T"].type)
    made.attr["first_n"].i = options.number("first_n", -1)
    made.attr["summarize"].i = options.number("summarize", 1024)
    return made


TABLE = {
    **{function.__name__: each(function) for function in (
        rename_attribute, remove_attribute, rename_op, set_device, remove_device,
        remove_control_dependencies, add_default_attributes, backport_concatv2,
    )},
    "obfuscate_names": obfuscate_names, "insert_logging": insert_logging,
}  # fmt: skip
