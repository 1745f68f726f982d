"""tensorflow.python.framework.errors_impl: an error from its code."""

import warnings

from twinflow.base import errors


def make_specific_exception(node_def, op, message, error_code):
    """The error of a code; UnknownError with a warning where there is none."""
    try:
        kind = errors.exception_type_from_error_code(error_code)
    except KeyError:
        warnings.warn(f"Unknown error code: {error_code}", stacklevel=2)
        return errors.UnknownError(node_def, op, message, error_code)
    return kind(node_def, op, message)
