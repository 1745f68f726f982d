"""tf.errors: the exceptions of ops."""

from twinflow.base.errors import *  # noqa: F403 - the family is the public module
