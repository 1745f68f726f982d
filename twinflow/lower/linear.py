"""Whole numbers as sums of multiples of others: how far apart two of them are."""

from twinflow.lower.lowering import known

_SAME = ("Identity", "Cast", "StopGradient")
_DEEP = 12


def distance(low, program, begin, end):
    """`end - begin` as an int, for scalars that only the run knows; None if unknown.

    The bounds of x[2 * i : 2 * (i + 1)] are 2 apart.

    Args:
        low: the Lowering. program: the Program that the tensors are in.
    """
    a, b = (_form(low, program, t, _DEEP) for t in (begin, end))
    rest = {t: b.get(t, 0) - a.get(t, 0) for t in (*a, *b)}
    found = rest.pop(None, 0)
    return found if not any(rest.values()) else None


def _form(low, program, t, depth):
    """{tensor: factor}, where None stands for 1."""
    t = program.resolve(t)
    value = low.env.get(t, program.const(t))
    if value is not None and known(value):
        return {None: int(value)}
    node = t.op
    if not depth or t in program.fed:
        return {t: 1}
    if (kept := kept_at(program, t)) is not None:
        body, inner, index = kept
        form = _form(low, body, inner, depth - 1)
        return {k if k is None else (k, index): v for k, v in form.items()}
    if node.type in _SAME and t.dtype.is_integer and node.inputs[0].dtype.is_integer:
        return _form(low, program, node.inputs[0], depth - 1)
    if node.type not in ("Add", "Sub", "Mul"):
        return {t: 1}
    a, b = (_form(low, program, x, depth - 1) for x in node.inputs)
    if node.type == "Mul":
        return _product(a, b) or {t: 1}
    sign = 1 if node.type == "Add" else -1
    return {k: a.get(k, 0) + sign * b.get(k, 0) for k in (*a, *b)}


def _product(a, b):
    """One of the two is a number."""
    if set(b) != {None}:
        a, b = b, a
    if set(b) != {None}:
        return None
    return {k: v * b[None] for k, v in a.items()}


def kept_at(program, t):
    """(program of the body, tensor there, index) of what a loop kept of an iteration.

    Returns:
        None where `t` is not read from a stack of a loop.
    """
    node = t.op
    if node.type != "TwinStackRead":
        return None
    stack, index = map(program.resolve, node.inputs)
    if stack.op.type != "While":
        return None
    extra = stack.op.extra
    body = _body(program, extra.body)
    saved = extra.saved[stack.value_index - len(extra.body.params) - 1]
    return None if body is None else (body, body.resolve(saved), index)


def _body(program, region):
    while program is not None:
        if region in program.bodies:
            return program.bodies[region]
        program = program.parent
    return None
