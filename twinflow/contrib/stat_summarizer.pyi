# Made by `make stubs` from the table of the index.
from twinflow.profiler.step_summary import DeleteStatSummarizer as DeleteStatSummarizer
from twinflow.profiler.step_summary import NewStatSummarizer as NewStatSummarizer
from twinflow.profiler.step_summary import StatSummarizer as StatSummarizer

__all__ = [
"DeleteStatSummarizer", "NewStatSummarizer", "StatSummarizer"
]
