"""tensorflow.python.ops.functional_ops: calls, branches and loops of defined functions.

They are the control flow of tf.cond and tf.while_loop, around calls.
"""

from twinflow.base import dispatch, errors
from twinflow.base.dtypes import as_dtype, int32, string
from twinflow.compat.door.defined import Defun
from twinflow.execute.call import call_node
from twinflow.execute.defined import symbolic_gradient
from twinflow.graph.cond import cond as branch
from twinflow.graph.scopes import control_dependencies, name_scope
from twinflow.graph.while_loop import while_loop
from twinflow.ops.arrays.passing import identity_n
from twinflow.ops.core.compare import logical_or, not_equal
from twinflow.ops.core.constant import constant, convert_to_tensor, identity
from twinflow.ops.core.reduction import reduce_all
from twinflow.ops.core.shape import rank
from twinflow.ops.core.size import size
from twinflow.ops.debugging.checks import Assert


def _in_graph(graph, f, args):
    """The outputs of a call with all inputs: the arguments and what it captures."""
    f.add_to_graph(graph)
    inner = f.graph()
    if len(args) != len(inner.all_inputs):
        args = [*args, *f.captured_inputs]
    inputs = [graph.tensor(a) for a in args]
    return call_node(graph, inner, inputs, "PartitionedCall")


def partitioned_call(args, f, tout=None, executing_eagerly=None, config=None):
    """Call a function.

    Args:
        args: its arguments, with or without what it captures. f: a Defun of known
            types. tout, executing_eagerly, config: accepted.
    Returns:
        A list of its results; the node if there are none.
    """
    graph = dispatch.current_mode()
    if graph.eager:
        found = f(*args)
        return list(found) if isinstance(found, tuple) else [found]
    before = len(graph.nodes)
    found = _in_graph(graph, f, list(args))
    return found or graph.nodes[before:][-1]


def stateful_partitioned_call(args, Tout, f, name=None):
    """Call a function; see `partitioned_call`."""
    return partitioned_call(args, f, Tout)


def stateless_if(cond, input, Tout, then_branch, else_branch, name=None):
    """The results of one of two functions; see `If`."""
    return If(cond, input, then_branch, else_branch, name)


def stateless_while(input, cond, body, name=None):
    """A loop of two functions; see `While`."""
    return While(input, cond, body, name)


def remote_call(target, args, Tout, f, name=None):
    """Call a function on a device of this process.

    Args:
        target: the device. args: the arguments. Tout: the dtypes of the results.
        f: a Defun of known types.
    Returns:
        A list of tensors.
    Raises:
        TypeError: `args` or `Tout` is no list.
    """
    for value, which in ((args, "args"), (Tout, "Tout")):
        if not isinstance(value, list | tuple):
            raise TypeError(
                f"Expected list for '{which}' argument to 'remote_call' Op, not "
                f"{value}."
            )
    found = [convert_to_tensor(a) for a in args]
    convert_to_tensor(target, string)
    with name_scope(name, "RemoteCall") as scope:
        return _named(_in_graph(dispatch.current_mode(), f, found), scope)


def _named(tensors, scope):
    return list(identity_n([identity(t) for t in tensors], name=scope))


def If(cond, inputs, then_branch, else_branch, name=None, hostmem=None):
    """The results of one of two functions.

    Args:
        cond: a scalar, which is true if it is not 0 or "", or a tensor, which is true
            if it has elements. inputs: the arguments of both.
        then_branch, else_branch: Defuns of known types. hostmem: accepted.
    Returns:
        A list of tensors.
    """
    inputs = [convert_to_tensor(x) for x in inputs]
    cond = convert_to_tensor(cond)
    with name_scope(name, "If") as scope:
        found = branch(
            _truth(cond), lambda: _listed(then_branch(*inputs)),
            lambda: _listed(else_branch(*inputs)),
        )  # fmt: skip
        return _named(_listed(found), scope)


def _listed(found):
    return list(found) if isinstance(found, list | tuple) else [found]


_FALSE = {"string": "", "bool": False}


def _truth(value):
    """Whether a tensor is true."""
    if value.shape.ndims:
        return size(value) > 0
    false = constant(_FALSE.get(value.dtype.name, 0), value.dtype)
    plain = value if value.dtype.is_bool else not_equal(value, false)
    if value.shape.ndims is None:
        return (size(value) > 0) & ((rank(value) > 0) | reduce_all(plain))
    return plain


def While(input_, cond, body, name=None, hostmem=None):
    """A loop of two functions.

    Args:
        input_: what the loop starts with. cond: a Defun of it that says whether to go
            on. body: a Defun of it that gives the next. hostmem: accepted.
    Returns:
        A list of tensors: the last ones.
    Raises:
        ValueError: a function captures something, or their arguments are not the same.
        InvalidArgumentError: they give too much or too little.
    """
    inputs = [convert_to_tensor(x) for x in input_]
    _check_loop(cond, body, [x.dtype for x in inputs])
    with name_scope(name, "While") as scope:
        found = while_loop(
            lambda *x: _truth(cond(*x)), lambda *x: _like(body(*x), inputs), inputs,
            return_same_structure=True,
        )  # fmt: skip
        return _named(found, scope)


def _like(found, tensors):
    """The results of a call with the shapes of tensors, which it cannot know."""
    found = _listed(found)
    for result, t in zip(found, tensors):
        result.set_shape(t.shape)
    return found


def _check_loop(cond, body, types):
    count = len(types)
    for f in (cond, body):
        inputs = f.definition.signature.input_arg
        if len(inputs) != count:
            _refuse(f"Expects {len(inputs)} arguments, but {count} is provided")
    outs = cond.definition.signature.output_arg
    if len(outs) != 1:
        _refuse(
            "Expected a single scalar return value from WhileOp cond, got "
            f"{len(outs)} tensors."
        )
    _check_results("While", body, types)


def _check_body(body, types):
    """Raises where the body of a For takes or gives something else."""
    inputs = body.definition.signature.input_arg
    if len(inputs) != len(types) + 1:
        _refuse(f"Expects {len(inputs)} arguments, but {len(types) + 1} is provided")
    _check_results("For", body, types, first=1)


def _check_results(kind, body, types, first=0):
    outs, count = body.definition.signature.output_arg, len(types)
    if len(outs) != count:
        _refuse(f"{kind} loop body returned {len(outs)} arguments. Expected: {count}")
    for i, (out, dtype) in enumerate(zip(outs, types), first):
        if as_dtype(out.type) is not dtype:
            _refuse(
                f"Expects arg[{i}] to be {_plain(dtype)} but {_plain(out.type)} is "
                "provided"
            )


def _plain(dtype):
    name = as_dtype(dtype).name
    return {"float32": "float", "float64": "double"}.get(name, name)


def _refuse(text):
    raise errors.InvalidArgumentError(None, None, text)


def For(
    start, limit, delta, inputs, body, name=None, hostmem=None, rewrite_with_while=None
):
    """A loop over a range of numbers.

    Args:
        start, limit, delta: int32, of the numbers. inputs: what the loop starts with.
        body: a Defun of a number and these that gives the next ones.
        hostmem: accepted. rewrite_with_while: take a While of two functions, which does
            not check the numbers.
    Returns:
        A list of tensors: the last ones.
    """
    numbers = [convert_to_tensor(n, int32) for n in (start, limit, delta)]
    inputs = [convert_to_tensor(x) for x in inputs]
    if rewrite_with_while:
        return _for_by_while(numbers, inputs, body, name)
    _check_body(body, [x.dtype for x in inputs])
    start, limit, delta = numbers
    with name_scope(name, "For") as scope:
        fine = logical_or(
            (delta > 0) & (start <= limit), (delta < 0) & (start >= limit)
        )
        check = Assert(fine, ["Invalid start/limit/delta:", start, limit, delta])
        with control_dependencies([check]):
            start = identity(start)
        found = while_loop(
            lambda i, *x: ((delta > 0) & (i < limit)) | ((delta < 0) & (i > limit)),
            lambda i, *x: [i + delta, *_like(body(i, *x), x)], [start, *inputs],
            return_same_structure=True,
        )  # fmt: skip
        return _named(found[1:], scope)


def _for_by_while(numbers, inputs, body, name):
    """A While of two functions that the library gets."""
    types = [int32] * 4 + [x.dtype for x in inputs]
    caught = body.captured_inputs

    @Defun(*types, *(x.dtype for x in caught), func_name=f"{body.name}_Cond")
    def loop_cond(i, n, start, delta, *args):
        return i < n

    @Defun(*types, *(x.dtype for x in caught), func_name=f"{body.name}_Body")
    def loop_body(i, n, start, delta, *args):
        number, own = start + i * delta, len(args) - len(caught)
        graph = dispatch.current_mode()
        found = _in_graph(graph, body, [number, *args])
        return (i + 1, n, start, delta, *found, *args[own:])

    start, limit, delta = numbers
    n = (abs(limit - start) + abs(delta) - 1) // abs(delta)
    found = While([0, n, start, delta, *inputs, *caught], loop_cond, loop_body, name)
    return found[4 : 4 + len(inputs)]


def Gradient(inputs, f, name=None):
    """The gradient of a function: see `symbolic_gradient`.

    Args:
        inputs: its arguments, then a slope for each of its results. f: a Defun.
    """
    types = [arg.type for arg in f.definition.signature.input_arg]
    return symbolic_gradient(inputs, types, f, name)
