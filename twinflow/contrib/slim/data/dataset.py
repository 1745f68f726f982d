"""What a set of examples consists of."""

from typing import Any


class Dataset:
    """Files, how they are read, and how their examples are decoded.

    Args:
        data_sources: the names of the files, or a pattern. reader: a class of readers.
        decoder: a DataDecoder. num_samples: how many examples there are.
        items_to_descriptions: {name of an item: text}. kwargs: more attributes.
    """

    def __init__(
        self, data_sources: Any, reader: Any, decoder: Any, num_samples: Any,
        items_to_descriptions: Any, **kwargs: Any,
    ) -> None:  # fmt: skip
        kwargs |= {
            "data_sources": data_sources, "reader": reader, "decoder": decoder,
            "num_samples": num_samples, "items_to_descriptions": items_to_descriptions,
        }  # fmt: skip
        self.__dict__.update(kwargs)
