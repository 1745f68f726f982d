"""tf.errors: the exceptions of ops."""

from twinflow.base.errors import *  # noqa: F403 - the family is the public module
from twinflow.base.statuses import (
    raise_exception_on_not_ok_status as raise_exception_on_not_ok_status,
)
