"""tensorflow.python.framework.function: Defun, older than tfe.defun.

Note [Functions as op types] in execute.defined says what a call is in a graph; eagerly
it is a call of the same FuncGraph.
"""

import inspect

from twinflow.autodiff.custom_gradient import custom_gradient
from twinflow.base import dispatch, errors
from twinflow.base.advice import advised
from twinflow.base.dtypes import as_dtype
from twinflow.base.op_lookup import known_op
from twinflow.base.text import as_bytes
from twinflow.compat.door.function_protos import FromProto, from_library
from twinflow.execute.call import call
from twinflow.execute.defined import DefinedGraph, call_defined, traced
from twinflow.formats.protos import AttrValue
from twinflow.graph.defaults import get_default_graph
from twinflow.graph.graph_def.function_def import function_def, stateful_nodes
from twinflow.ops.core.constant import convert_to_tensor


class Defun:
    """A decorator: the function becomes one op of graphs.

    Args:
        input_types: the dtypes of the arguments; those that are given if left out.
        func_name: its name; that of the function and a hash by default.
        grad_func: another Defun, of the arguments and the slopes of the results.
        python_grad_func: a function of the op and the slopes of the results.
        out_names: what its results are called. shape_func: from the op to their shapes.
        capture_by_value: whether it computes anew what it uses from outside.
        noinline, compiled, experimental_*: attributes of the function.
    Example:
        @Defun(tf.float32)
        def swish(x): return x * tf.sigmoid(x)
    """

    def __init__(self, *input_types, **kwargs):
        self._input_types, self._kwargs = input_types, kwargs
        self._func_name = kwargs.pop("func_name", None)
        self._grad_func = kwargs.pop("grad_func", None)
        self._python_grad_func = kwargs.pop("python_grad_func", None)
        self._out_names = kwargs.pop("out_names", None)

    def __call__(self, func):
        if not callable(func):
            raise advised(ValueError, f"func {func} must be callable")
        names = _checked_arguments(func, len(self._input_types))
        options = {
            "out_names": self._out_names, "grad_func": self._grad_func,
            "python_grad_func": self._python_grad_func, **self._kwargs,
        }  # fmt: skip
        if self._input_types or names == []:
            types = self._input_types
            return _DefinedFunction(func, names, types, self._func_name, **options)
        return _OverloadedFunction(func, names, self._func_name, **options)


def _checked_arguments(func, wanted):
    """The names of as many arguments as there are types; of all that it has if none.

    Raises:
        ValueError: it takes keywords, has defaults, or another number of arguments.
    """
    spec = inspect.getfullargspec(func)
    if spec.varkw or spec.defaults:
        raise ValueError(
            "Functions with argument defaults or keyword arguments are not supported."
        )
    names = spec.args[inspect.ismethod(func) :]
    if not wanted:
        return names if names or not spec.varargs else None
    if wanted < len(names):
        raise ValueError(
            "The function has fewer arguments than the number of specified input "
            "types." if wanted > len(names) else
            "The function has more arguments than the number of specified input types."
        )  # fmt: skip
    if wanted > len(names) and not spec.varargs:
        raise ValueError(
            "The function has fewer arguments than the number of specified input types."
        )
    more = range(len(names), wanted)
    return [*names, *(f"{spec.varargs}{i}" for i in more)]


class _OverloadedFunction:
    """A function of arguments of any types: one _DefinedFunction for each of them."""

    def __init__(
        self, func, argnames, func_name=None, grad_func=None, python_grad_func=None,
        out_names=None, **kwargs,
    ):  # fmt: skip
        self._func, self._argnames, self._func_name = func, argnames, func_name
        self._grad_func, self._python_grad_func = grad_func, python_grad_func
        self._out_names, self._kwargs = out_names, kwargs
        self._overload = {}

    def instantiate(self, input_types):
        """The _DefinedFunction for arguments of these dtypes."""
        types = [as_dtype(t).base_dtype for t in input_types]
        key = "".join(_SHORT.get(t.name, t.name) for t in types)
        found = self._overload.get(key)
        if found is None:
            found = self._overload[key] = self._made(types)
        return found

    def _made(self, types):
        name, gradient = self._func_name, self._grad_func
        if name is not None:
            name = "_".join([name, *map(_short, types)])
        names = _checked_arguments(self._func, len(types))
        options = {"out_names": self._out_names, **self._kwargs}
        options["python_grad_func"] = self._python_grad_func
        found = _DefinedFunction(self._func, names, types, name, **options)
        if isinstance(gradient, _OverloadedFunction):
            slopes = [as_dtype(arg.type) for arg in found._signature.output_arg]
            gradient = gradient.instantiate([*types, *slopes])
        if gradient is not None:
            found._grad_func, found._graphs = gradient, {}
            found._definition = None
        return found

    def __call__(self, *args, **kwargs):
        args = [convert_to_tensor(a) for a in args]
        if self._argnames is not None and len(args) != len(self._argnames):
            self._func(*args)  # which says what it takes
        return self.instantiate([a.dtype for a in args])(*args, **kwargs)


_SHORT = {
    "float16": "f16", "float32": "f32", "float64": "f64", "int32": "i32",
    "uint8": "i8", "uint16": "u16", "uint32": "u32", "uint64": "u64", "int16": "i16",
    "int8": "i8", "string": "s", "complex64": "c64", "int64": "i64", "bool": "b",
    "qint8": "qi8", "quint8": "qu8", "qint16": "qi16", "quint16": "qu16",
    "qint32": "qi32", "bfloat16": "b16", "complex128": "c128",
}  # fmt: skip


def _short(dtype):
    return _SHORT.get(dtype.name, dtype.name)


class _DefinedFunction:
    """See Defun.

    Attributes: those of TensorFlow's class of this name.
    """

    def __init__(
        self, func, argnames, input_types, func_name=None, grad_func=None,
        python_grad_func=None, out_names=None, shape_func=None, capture_by_value=False,
        **kwargs,
    ):  # fmt: skip
        self._func, self._argnames = func, argnames
        self._input_types = tuple(as_dtype(t) for t in input_types)
        self._func_name, self._out_names = func_name, out_names
        self._grad_func, self._python_grad_func = grad_func, python_grad_func
        self._shape_func, self._by_value = shape_func, capture_by_value
        self._kwargs, self._definition, self._graphs = kwargs, None, {}
        self._devices = getattr(dispatch.current_mode(), "device_scopes", ())

    @property
    def name(self):
        """What nodes that call it have for a type."""
        return self._func_name or self.definition.signature.name

    @property
    def definition(self):
        """The FunctionDef."""
        self._make()
        return self._definition

    @property
    def _signature(self):
        return self.definition.signature

    @property
    def grad_func(self):
        """The function of the arguments and slopes that gives the gradients."""
        return self._grad_func

    def set_grad_func(self, grad_func):
        """Let another function give the gradients."""
        self._grad_func = grad_func

    @property
    def grad_func_name(self):
        """The name of that function, or None."""
        return self._grad_func.name if self._grad_func else None

    @property
    def python_grad_func(self):
        """The Python function that gives the gradients, or None."""
        return self._python_grad_func

    @property
    def declared_input_types(self):
        """The dtypes of the arguments, a tuple."""
        return self._input_types

    @property
    def captured_inputs(self):
        """The tensors from outside that it takes after its arguments."""
        return self.graph().extra_inputs

    @property
    def stateful_ops(self):
        """(name, type) of the nodes in it that have a state."""
        return [(n.name, n.type) for n in stateful_nodes(self.graph().nodes)]

    def graph(self):
        """The graph of the function."""
        self._make()
        return self._graph

    def add_to_graph(self, g):
        """Put the function, and those that it calls, into the library of a graph.

        Raises:
            InvalidArgumentError: there is another function or op of this name.
        """
        self._make()
        while g is not None and not g.eager:
            _put(g, self)
            for inner in self._graph._functions.values():
                _put(g, inner)
            if self._grad_func is not None and self.name in g._functions:
                self._grad_func.add_to_graph(g)
            g = getattr(g, "outer", None)

    def __call__(self, *args, **kwargs):
        mode = dispatch.current_mode()
        if not mode.eager:
            self.add_to_graph(mode)
        tensors = [convert_to_tensor(a) for a in args]
        self._check_count(args)
        name = kwargs.pop("name", None)
        attrs = _attributes(self._func_name or "", kwargs)
        if mode.eager:
            return self._now(tensors)
        node = call_defined(self, self.graph(), tensors, name)
        node.marks = {**(node.marks or {}), **attrs} or None
        if self._shape_func is not None:
            _set_shapes(node, self._shape_func(node))
        outputs = tuple(node.outputs)
        return outputs[0] if len(outputs) == 1 else outputs or node

    def _check_count(self, args):
        if len(args) != len(self._input_types):
            raise ValueError(
                f"Expected number of arguments: {len(self._input_types)}, received: "
                f"{len(args)}"
            )

    # ------------------------------------------------------------------ making
    def _make(self):
        if self._definition is not None:
            return
        base = self._func_name or _name(self._func)
        if self._grad_func is not None and self._func_name is None:
            base += f"_{self._grad_func.name}"
        attrs = _attributes(base, dict(self._kwargs))
        graph = self._graph = traced(
            self._func, base, self._argnames, self._input_types, self._by_value,
            self._devices,
        )  # fmt: skip
        proto = function_def(
            graph, self._func_name, graph.all_inputs, graph.outputs, self._out_names,
            base,
        )  # fmt: skip
        for key, value in attrs.items():
            proto.attr[key].CopyFrom(value)
        proto.signature.description = self._func.__doc__ or ""
        self._definition, graph.defined = proto, self
        graph.name = proto.signature.name

    # ------------------------------------------------------------------ eagerly
    def _now(self, tensors):
        found = self._result_now
        if self._grad_func is not None or self._python_grad_func is not None:
            found = custom_gradient(self._with_gradient)
        return found(*tensors)

    def _result_now(self, *tensors):
        outputs = call(self.graph(), list(tensors))
        return outputs[0] if len(outputs) == 1 else tuple(outputs) or None

    def _with_gradient(self, *tensors):
        found = self._result_now(*tensors)
        outputs = list(found) if isinstance(found, tuple) else [found]

        def gradient(*slopes):
            if self._python_grad_func is None:
                return self._grad_func(*tensors, *slopes)
            return self._python_grad_func(_Called(self.name, tensors, outputs), *slopes)

        return found, gradient


class _Called:
    """What a Python gradient function gets of an eager call."""

    def __init__(self, name, inputs, outputs):
        self.name = self.type = name
        self.inputs, self.outputs = list(inputs), outputs


def _name(func):
    name = getattr(func, "__name__", str(type(func)))
    owner = getattr(func, "__self__", None)
    return name if owner is None else f"{type(owner).__name__}.{name}"


def _set_shapes(node, shapes):
    if len(shapes) != len(node.outputs):
        raise ValueError(
            f"shape_func produced {len(shapes)} shapes for {len(node.outputs)} outputs"
        )
    for t, shape in zip(node.outputs, shapes):
        t.set_shape(shape)


def _put(graph, function):
    """Put one function into the library of a graph."""
    name, known = function.name, graph._functions.get(function.name)
    if known is function:
        return
    if known is not None and known.definition != function.definition:
        what = "a different function"
    elif known is None and known_op(name) is not None:
        what = "an op"
    else:
        graph._functions[name] = function
        return
    raise errors.InvalidArgumentError(
        None, None, f"Cannot add function '{name}' because {what} with the same name "
        "already exists.",
    )  # fmt: skip


def _attributes(name, options):
    """The attributes, as AttrValues, that keywords of a function or call ask for."""
    attrs = {}
    noinline, compiled = options.pop("noinline", None), options.pop("compiled", None)
    separate = options.pop("separate_compiled_gradients", None)
    if noinline is not None:
        attrs["_noinline"] = AttrValue(b=bool(noinline))
    if compiled is not None:
        attrs["_XlaCompile"] = AttrValue(b=bool(compiled))
        attrs["_XlaSeparateCompiledGradients"] = AttrValue(b=bool(separate))
        attrs["_XlaScope"] = AttrValue(s=f"function_{name}".encode())
    for key in [k for k in options if k.startswith("experimental_")]:
        attrs[key] = attribute(key, options.pop(key))
    if options:
        raise ValueError(f"Unknown keyword arguments: {options.keys()}")
    return attrs


def attribute(name, value):
    """A bool, number or text as an AttrValue."""
    for kind, field in ((bool, "b"), (int, "i"), (float, "f")):
        if isinstance(value, kind):
            return AttrValue(**{field: value})
    if isinstance(value, str):
        return AttrValue(s=as_bytes(value))
    raise ValueError(f"Unsupported attribute type for {name} with type {type(value)}")


# ------------------------------------------------------------------ inside a function
def _current():
    mode = dispatch.current_mode()
    if mode.eager:
        return None
    graph = get_default_graph() if not mode.is_function else mode
    return graph if isinstance(graph, DefinedGraph) else None


def get_extra_vars():
    """The variables that tf.get_variable gave in the function that is being made."""
    graph = _current()
    return graph.extra_vars if graph else []


def get_extra_inputs():
    """The tensors from outside that the function that is being made uses."""
    graph = _current()
    return graph.extra_inputs if graph else []


def get_extra_args():
    """The inputs that stand for them."""
    graph = _current()
    return graph.extra_args if graph else []


def func_graph_from_py_func(
    func, arg_names, arg_types, name=None, capture_by_value=False, device=None,
    colocation_stack=None, container=None, collections_ref=None, arg_shapes=None,
):  # fmt: skip
    """The graph of a Python function.

    Args:
        arg_names, arg_types, arg_shapes: of its arguments. capture_by_value: see Defun.
        device, colocation_stack, container, collections_ref: accepted.
    """
    name = name or getattr(func, "__name__", "function")
    shapes = (
        [None if s is None else s.tuple for s in arg_shapes] if arg_shapes else None
    )
    return traced(func, name, arg_names, arg_types, capture_by_value, (), shapes)


def _call(sig, *inputs, **kwargs):
    """A node that calls the function of a signature, and its result."""
    mode = dispatch.current_mode()
    function = mode._functions[sig.name]
    found = function(*inputs, **kwargs)
    first = found[0] if isinstance(found, tuple) else found
    return found, getattr(first, "op", first)


def _from_definition(fdef, grad_func=None):
    """The function of a FunctionDef."""
    return _FromDefinition(fdef, grad_func)


class _FromDefinition(FromProto, _DefinedFunction):
    """A function whose graph is read from a FunctionDef when it is called."""


def _from_library(lib):
    """The functions of a FunctionDefLibrary.

    Raises:
        ValueError: one that is named as a gradient is missing, or they go in a circle.
    """
    return from_library(lib, _from_definition)
