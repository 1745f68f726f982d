"""tf.logging."""

import logging as python_logging

import pytest

from twinflow.base import logging


@pytest.fixture
def lines():
    """What the logger is given."""
    found = []
    handler = python_logging.Handler()
    handler.emit = lambda record: found.append((record.levelname, record.getMessage()))
    logger = python_logging.getLogger("tensorflow")
    before = logger.level
    logger.addHandler(handler)
    yield found
    logger.removeHandler(handler)
    logger.setLevel(before)


def test_levels(lines):
    logging.set_verbosity(logging.INFO)
    assert logging.get_verbosity() == logging.INFO
    logging.debug("a")
    logging.info("b %d", 1)
    logging.warn("c")
    logging.vlog(logging.ERROR, "d")
    logging.fatal("e")
    assert lines == [
        ("INFO", "b 1"), ("WARNING", "c"), ("ERROR", "d"), ("CRITICAL", "e")
    ]  # fmt: skip
    logging.flush()


def test_lines_that_are_counted(lines):
    for i in range(5):
        logging.log_first_n(logging.ERROR, "first %d", 2, i)
        logging.log_every_n(logging.ERROR, "every %d", 3, i)
        logging.log_if(logging.ERROR, "if %d", i == 4, i)
    texts = [text for _, text in lines]
    assert texts == ["first 0", "every 0", "first 1", "every 3", "if 4"]


def test_the_prefix():
    prefix = logging.google2_log_prefix(logging.WARN, 3600.25, ("a/b.py", 7))
    assert prefix.startswith("W0101 ") and prefix.endswith(" b.py:7] ")
    assert ".250000 " in prefix
