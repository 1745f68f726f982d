"""tensorflow.python.util.protobuf.compare: messages that are, or should be, equal."""

from google.protobuf import text_format


def ProtoEq(a, b):
    """Whether two messages have the same fields."""
    return a == b


def NormalizeNumberFields(pb):
    """A message as it is: numbers have the kinds of their fields."""
    return pb


def assertProtoEqual(
    self, a, b, check_initialized=True, normalize_numbers=False, msg=None
):
    """Fail the test `self` where two messages differ, with what differs.

    Args:
        a, b: messages; the first may be the text of one.
        check_initialized: look for required fields that are missing.
    """
    if isinstance(a, str):
        a = text_format.Merge(a, type(b)())
    for found in (a, b):
        missing = found.FindInitializationErrors() if check_initialized else ()
        if missing:
            self.fail(f"Initialization errors: {missing}\n{found}")
    texts = [text_format.MessageToString(found) for found in (a, b)]
    self.assertMultiLineEqual(*texts, msg=msg)


class ProtoAssertions:
    """A class of tests that have `assertProtoEqual`."""

    def assertProtoEqual(self, *args, **kwargs):
        """See above."""
        return assertProtoEqual(self, *args, **kwargs)
