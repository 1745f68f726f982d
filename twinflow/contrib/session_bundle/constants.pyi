# Made by `make stubs` from the descriptors of the messages.
from typing import Any
from twinflow.formats.messages import Message

def __getattr__(name: str) -> Any: ...

class AssetFile(Message):
    tensor_binding: TensorBinding
    filename: str
    def __init__(self, *, tensor_binding: TensorBinding | dict[str, Any] | None = ..., filename: str | None = ...) -> None: ...

class ClassificationSignature(Message):
    input: TensorBinding
    classes: TensorBinding
    scores: TensorBinding
    def __init__(self, *, input: TensorBinding | dict[str, Any] | None = ..., classes: TensorBinding | dict[str, Any] | None = ..., scores: TensorBinding | dict[str, Any] | None = ...) -> None: ...

class GenericSignature(Message):
    map: Any
    MapEntry: Any
    def __init__(self, *, map: Any | None = ...) -> None: ...

class RegressionSignature(Message):
    input: TensorBinding
    output: TensorBinding
    def __init__(self, *, input: TensorBinding | dict[str, Any] | None = ..., output: TensorBinding | dict[str, Any] | None = ...) -> None: ...

class Signature(Message):
    regression_signature: RegressionSignature
    classification_signature: ClassificationSignature
    generic_signature: GenericSignature
    def __init__(self, *, regression_signature: RegressionSignature | dict[str, Any] | None = ..., classification_signature: ClassificationSignature | dict[str, Any] | None = ..., generic_signature: GenericSignature | dict[str, Any] | None = ...) -> None: ...

class Signatures(Message):
    default_signature: Signature
    named_signatures: Any
    NamedSignaturesEntry: Any
    def __init__(self, *, default_signature: Signature | dict[str, Any] | None = ..., named_signatures: Any | None = ...) -> None: ...

class TensorBinding(Message):
    tensor_name: str
    def __init__(self, *, tensor_name: str | None = ...) -> None: ...
