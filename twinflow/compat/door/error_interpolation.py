"""tensorflow.python.framework.error_interpolation: where the nodes of a text come from.

A text holds {{node NAME}} or {{colocation_node NAME}}.
"""

import collections
import os
import re

_NAME_REGEX = r"[A-Za-z0-9.][A-Za-z0-9_.\-/]*?"
_TAG_REGEX = rf"{{{{({_NAME_REGEX}) ({_NAME_REGEX})}}}}"
_INTERPOLATION_REGEX = rf"^(.*?)({_TAG_REGEX})"
_INTERPOLATION_PATTERN = re.compile(_INTERPOLATION_REGEX, re.DOTALL)
_ParseTag = collections.namedtuple("_ParseTag", ["type", "name"])
_BAD_FILE_SUBSTRINGS = [os.path.join("tensorflow", "python"), "<embedded"]


def _parse_message(message):
    """The texts around the tags, and the tags."""
    seps, tags, place = [], [], 0
    for found in re.finditer(_TAG_REGEX, message):
        seps.append(message[place : found.start()])
        tags.append(_ParseTag(found[1], found[2]))
        place = found.end()
    return [*seps, message[place:]], tags


def _display(obj):
    """A device, or a function that gives one, as tf.device was given it."""
    code = getattr(obj, "__code__", None)
    if code is None:
        return str(obj)
    return f"{obj.__name__}<{code.co_filename}, {code.co_firstlineno}>"


def _compute_device_summary_from_list(name, device_assignment_list, prefix=""):
    """The tf.device blocks around a node."""
    if not device_assignment_list:
        return f"{prefix}No device assignments were active during op '{name}' creation."
    lines = [f"{prefix}Device assignments active during op '{name}' creation:"]
    lines += [
        f"{prefix}  with tf.device({_display(t.obj)}): <{t.filename}:{t.lineno}>"
        for t in device_assignment_list
    ]
    return "\n".join(lines)


def _compute_device_assignment_summary_from_op(op, prefix=""):
    return _compute_device_summary_from_list(op.name, op._device_assignments, prefix)


def _compute_colocation_summary_from_dict(name, colocation_dict, prefix=""):
    """The tf.colocate_with blocks around a node."""
    if not colocation_dict:
        return (
            f"{prefix}No node-device colocations were active during op '{name}' "
            "creation."
        )
    lines = [f"{prefix}Node-device colocations active during op '{name}' creation:"]
    lines += [
        f"{prefix}  with tf.colocate_with({other}): <{t.filename}:{t.lineno}>"
        for other, t in colocation_dict.items()
    ]
    return "\n".join(lines)


def _compute_colocation_summary_from_op(op, prefix=""):
    return _compute_colocation_summary_from_dict(op.name, op._colocation_dict, prefix)


def _find_index_of_defining_frame_for_op(op):
    """The place of the innermost frame of the program in the traceback, or 0."""
    stack = op._traceback
    for i in reversed(range(len(stack))):
        if not any(bad in stack[i][0] for bad in _BAD_FILE_SUBSTRINGS):
            return i
    return 0


def _get_defining_frame_from_op(op):
    return op._traceback[_find_index_of_defining_frame_for_op(op)]


def compute_field_dict(op):
    """What a text may say of a node: file, line, devices and colocations."""
    file, line = _get_defining_frame_from_op(op)[:2]
    colocations = _compute_colocation_summary_from_op(op)
    devices = _compute_device_assignment_summary_from_op(op)
    return {
        "file": file, "line": line, "defined_at": f" (defined at {file}:{line})",
        "colocations": colocations, "devices": devices,
        "devs_and_colocs": f"{colocations}\n{devices}",
    }  # fmt: skip


def _interpolated(tag, graph):
    try:
        op = graph.get_operation_by_name(tag.name)
    except (KeyError, ValueError):
        op = None
    if op is None or tag.type not in ("node", "colocation_node"):
        return f"{{{{{tag.type} {tag.name}}}}}"
    fields = compute_field_dict(op)
    if tag.type == "node":
        return f"node {tag.name}{fields['defined_at']} "
    return (
        f"node {tag.name}{fields['defined_at']} having device {fields['devices']} \n\n"
        f"{fields['devs_and_colocs']}"
    )


def interpolate(error_message, graph):
    """A text with what is known of its nodes in place of their tags.

    Args:
        error_message: the text. graph: the Graph; unknown nodes keep their tags.
    """
    seps, tags = _parse_message(error_message)
    subs = [_interpolated(tag, graph) for tag in tags]
    pairs = zip(seps, [*subs, ""], strict=True)
    return "".join(part for pair in pairs for part in pair)
