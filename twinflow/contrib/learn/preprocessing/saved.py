"""VocabularyProcessors in files: pickles, as TensorFlow 1.12 writes them.

What a file may name are the classes and the tokenizer of this package: each stands for
plain parts here, of which the processor is made. A tokenizer of the program's own is a
name of the file's choosing, which safe mode refuses (docs/files.md).
"""

import io
import pickle
from typing import Any

from twinflow.contrib.learn.preprocessing.vocabulary import CategoricalVocabulary
from twinflow.keras.saving import safe_mode

_TEXT = "contrib.learn.python.learn.preprocessing.text"
_WORDS = "contrib.learn.python.learn.preprocessing.categorical_vocabulary"
_HERE = "twinflow.contrib.learn.preprocessing"
_CODE = (
    "{path} asks for {name}, which a vocabulary of TensorFlow's does not need: "
    "refused, for loading it could run code that somebody else wrote. If you trust "
    "where it comes from, pass safe_mode=False, or set TWINFLOW_SAFE_MODE=0 in the "
    "environment."
)


class _Parts:
    """An object of a file: what was set on it."""


def _unpickler(path):
    """An unpickler whose classes are its own: a file changes nothing outside of it."""
    kinds = {name: type(name, (_Parts,), {}) for name in ("processor", "vocabulary")}
    kinds["tokenizer"] = type("tokenizer", (_Parts,), {})()
    known = {
        f"tensorflow.{_TEXT}.VocabularyProcessor": kinds["processor"],
        f"{_HERE}.text.VocabularyProcessor": kinds["processor"],
        f"tensorflow.{_WORDS}.CategoricalVocabulary": kinds["vocabulary"],
        f"{_HERE}.vocabulary.CategoricalVocabulary": kinds["vocabulary"],
        f"tensorflow.{_TEXT}.tokenizer": kinds["tokenizer"],
        f"{_HERE}.text.tokenizer": kinds["tokenizer"],
        "collections.defaultdict": lambda *_: {},
        **dict.fromkeys(("builtins.int", "__builtin__.int", "__builtin__.long"), "int"),
        **dict.fromkeys(("builtins.object", "__builtin__.object"), "object"),
        **dict.fromkeys(
            ("copyreg._reconstructor", "copy_reg._reconstructor"),
            lambda kind, *_: kind(),
        ),
    }

    class Unpickler(pickle.Unpickler):
        def find_class(self, module, name):
            if f"{module}.{name}" not in known:
                text = _CODE.format(path=path, name=f"{module}.{name}")
                raise pickle.UnpicklingError(text)
            return known[f"{module}.{name}"]

    return Unpickler, kinds


def read(data: bytes, path: str, own: Any) -> dict[str, Any]:
    """The arguments of the VocabularyProcessor in a file.

    Args:
        data: what the file holds. path: of the file, for errors. own: the tokenizer of
            this package.
    Raises:
        ValueError: it is damaged, holds something else, or asks for code.
    """
    unpickler, kinds = _unpickler(path)
    try:
        found = unpickler(io.BytesIO(data)).load()
        vocabulary = found.vocabulary_
        good = isinstance(found, kinds["processor"]) and isinstance(
            vocabulary, kinds["vocabulary"]
        )
        arguments = {
            "max_document_length": _of(found.max_document_length, int),
            "min_frequency": _of(found.min_frequency, int),
            "vocabulary": _vocabulary(vocabulary),
            "tokenizer_fn": own if found._tokenizer is kinds["tokenizer"] else None,
        }
    except pickle.UnpicklingError as error:
        text = str(error)
        raise ValueError(text if path in text else f"{path}: {text}") from None
    except Exception as error:
        raise ValueError(
            f"{path} holds no VocabularyProcessor, or is damaged: "
            f"{type(error).__name__}: {error}"
        ) from None
    if not good or arguments["tokenizer_fn"] is None:
        raise ValueError(f"{path} holds something else than a VocabularyProcessor.")
    return arguments


def may_run_code(safe: bool | None) -> bool:
    """Whether the caller or the environment lets files name functions."""
    with safe_mode.scope(safe):
        return not safe_mode.is_safe()


def _vocabulary(parts):
    made = CategoricalVocabulary(_of(parts._unknown_token, str))
    made._support_reverse = _of(parts._support_reverse, bool)
    made._mapping = {k: _of(n, int) for k, n in _of(parts._mapping, dict).items()}
    made._reverse_mapping = list(_of(parts._reverse_mapping, list))
    made._freq.update({k: _of(n, int) for k, n in _of(parts._freq, dict).items()})
    made._freeze = _of(parts._freeze, bool)
    return made


def _of(value, kind):
    if not isinstance(value, kind):
        raise TypeError(f"expected {kind.__name__}, got {type(value).__name__}")
    return value
