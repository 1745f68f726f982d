from tests.modes import eager  # noqa: F401 - a fixture
