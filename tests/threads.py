"""Threads in tests: they are waited for with a limit, and none may stay."""

import threading
import time

LIMIT = 20.0  # seconds, after which a test that hangs fails


class Background(threading.Thread):
    """Calls a function in a thread, at once; `outcome` waits for what came of it."""

    def __init__(self, function, *args):
        super().__init__(daemon=True)
        self.function, self.args = function, args
        self.result = self.error = None
        self.start()

    def run(self):
        try:
            self.result = self.function(*self.args)
        except BaseException as error:
            self.error = error

    def outcome(self):
        """The result, or the exception raised again."""
        self.join(LIMIT)
        assert not self.is_alive(), "the thread hangs"
        if self.error is not None:
            raise self.error
        return self.result

    def waits(self):
        """Whether it has not come to an end in a while."""
        self.join(0.05)
        return self.is_alive()


def others():
    """The threads besides the main one and the compiler's."""
    found = set(threading.enumerate()) - {threading.main_thread()}
    return {t for t in found if t.name != "twinflow-compiler"}


def check_none_stays(before):
    """Fail if there are threads that were not there before, after a moment."""
    deadline = time.monotonic() + 2
    while others() - before and time.monotonic() < deadline:
        time.sleep(0.005)
    assert not others() - before
