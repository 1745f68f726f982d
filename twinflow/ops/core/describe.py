"""Public functions that are made: their names, and docstrings written from facts."""


def published(function, name, doc, module="twinflow"):
    """`function` with the name and docstring that it is public under."""
    function.__name__ = function.__qualname__ = name
    function.__doc__, function.__module__ = doc, module
    return function


def unary_doc(formula, kinds="float or complex", example=None, arg="x", gives=None):
    """The docstring of an elementwise function of one tensor.

    Args:
        formula: what it computes. kinds: the dtypes of the input, in words.
        example: a runnable line. arg: the name of the input.
        gives: the dtype of the result where it is not the input's.
    """
    result = f"A {gives} tensor of the shape of" if gives else "A tensor like"
    return (
        f"{formula}, elementwise.\n\nArgs:\n    {arg}: {kinds} tensor of any shape.\n"
        f"    name: the name of the node in a graph.\nReturns:\n    {result} `{arg}`."
        + (f"\nExample:\n    {example}" if example else "")
    )


def binary_doc(formula, kinds="numeric", example=None, args=("x", "y"), gives=None):
    """The docstring of an elementwise function of two tensors, which are broadcast."""
    x, y = args
    result = f"A {gives} tensor" if gives else "A tensor of their dtype"
    return (
        f"{formula}, elementwise with broadcasting.\n\nArgs:\n"
        f"    {x}, {y}: {kinds} tensors of one dtype; Python numbers take the dtype of "
        f"the tensor.\n    name: the name of the node in a graph.\nReturns:\n"
        f"    {result}, of the broadcast shape.\nRaises:\n"
        "    InvalidArgumentError (eager) or ValueError (graph): the shapes do not fit."
        + (f"\nExample:\n    {example}" if example else "")
    )
