# Made by `make stubs` from the table of the index.
from twinflow.autodiff.reasons.history import History as History
from twinflow.autodiff.reasons.history import begin as begin
from twinflow.autodiff.reasons.history import end as end
from twinflow.autodiff.reasons.why import explained as explained

__all__ = [
"History", "begin", "end", "explained"
]
