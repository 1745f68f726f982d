# Made by `make stubs` from the table of the index.
from twinflow.interchange.stablehlo import StableHLO as StableHLO
from twinflow.interchange.stablehlo import export as export
from twinflow.interchange.stablehlo import load as load

__all__ = [
"StableHLO", "export", "load"
]
