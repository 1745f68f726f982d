"""Settings of layers as plain values, for get_config."""


def serialized(value):
    """Functions by name, initializers as class and settings, the rest as it is."""
    if hasattr(value, "get_config"):
        return {"class_name": type(value).__name__, "config": value.get_config()}
    if callable(value):
        return value.__name__
    return value
