# Made by `make stubs` from the table of the index.
from twinflow.base.annotations import DTypeValue
from twinflow.base.annotations import ShapeValue
from twinflow.base.tensor import Tensor
from twinflow.ops.random.stateless import stateless_multinomial as stateless_multinomial
def stateless_random_normal(shape: ShapeValue, seed: int | None, dtype: DTypeValue = ..., name: str | None = ...) -> Tensor: ...
def stateless_random_uniform(shape: ShapeValue, seed: int | None, dtype: DTypeValue = ..., name: str | None = ...) -> Tensor: ...
def stateless_truncated_normal(shape: ShapeValue, seed: int | None, dtype: DTypeValue = ..., name: str | None = ...) -> Tensor: ...

__all__ = [
"stateless_multinomial", "stateless_random_normal", "stateless_random_uniform",
"stateless_truncated_normal"
]
