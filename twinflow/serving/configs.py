"""Which models are served: from a folder, or from a file that lists them."""

from typing import Any

from google.protobuf import json_format, text_format

from twinflow.base import stores
from twinflow.formats.serving_protos import serving

_MOST_BYTES = 2**24


def of_folder(folder: str, name: str) -> Any:
    """The ModelServerConfig of one model.

    Raises:
        ValueError: the name cannot be part of an address.
    """
    config = serving["ModelServerConfig"]()
    config.model_config_list.config.add(name=name, base_path=stores.absolute(folder))
    _check_names(config)
    return config


def of_file(path: str) -> Any:
    """The ModelServerConfig of a file: JSON, or protocol buffers' text format.

    Paths of models count from the folder of the file.

    Raises:
        OSError: it cannot be read. ValueError: it is no such configuration.
    """
    with stores.opened(path) as file:
        content = file.read(_MOST_BYTES + 1)
    if len(content) > _MOST_BYTES:
        raise ValueError(
            f"{path} is larger than {_MOST_BYTES} bytes: no configuration."
        )
    config = serving["ModelServerConfig"]()
    try:
        text = content.decode()
        if text.lstrip().startswith("{"):
            json_format.Parse(text, config)
        else:
            text_format.Parse(text, config)
    except (json_format.ParseError, text_format.ParseError, UnicodeDecodeError,
            RecursionError) as error:  # fmt: skip
        raise ValueError(
            f"{path} is no ModelServerConfig, as JSON or in text format: {error}"
        ) from None
    top = stores.dirname(stores.absolute(path))
    for one in config.model_config_list.config:
        if one.base_path:
            one.base_path = stores.joined(top, one.base_path)
    _check_names(config)
    return config


def _check_names(config: Any) -> None:
    for one in config.model_config_list.config:
        if not one.name or set("/:?#") & set(one.name):
            raise ValueError(
                f"The name of a model must not be empty or have any of / : ? # in it; "
                f"received {one.name!r}."
            )
