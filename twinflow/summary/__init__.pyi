# Made by `make stubs` from the table of the index.
from twinflow.formats.protos import Event as Event
from twinflow.formats.protos import SessionLog as SessionLog
from twinflow.formats.protos import Summary as Summary
from twinflow.formats.protos import SummaryDescription as SummaryDescription
from twinflow.formats.protos import TaggedRunMetadata as TaggedRunMetadata
from twinflow.summary.summaries import audio as audio
from twinflow.summary.summaries import get_summary_description as get_summary_description
from twinflow.summary.summaries import histogram as histogram
from twinflow.summary.summaries import image as image
from twinflow.summary.summaries import merge as merge
from twinflow.summary.summaries import merge_all as merge_all
from twinflow.summary.summaries import scalar as scalar
from twinflow.summary.summaries import tensor_summary as tensor_summary
from twinflow.summary.summaries import text as text
from twinflow.summary.writer import FileWriter as FileWriter
from twinflow.summary.writer import FileWriterCache as FileWriterCache

__all__ = [
"Event", "SessionLog", "Summary", "SummaryDescription", "TaggedRunMetadata", "audio",
"get_summary_description", "histogram", "image", "merge", "merge_all", "scalar",
"tensor_summary", "text", "FileWriter", "FileWriterCache"
]
