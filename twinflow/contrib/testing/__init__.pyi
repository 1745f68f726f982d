# Made by `make stubs` from the table of the index.
from twinflow.contrib.testing.summaries import FakeSummaryWriter as FakeSummaryWriter
from twinflow.contrib.testing.summaries import assert_summary as assert_summary
from twinflow.contrib.testing.summaries import latest_event_file as latest_event_file
from twinflow.contrib.testing.summaries import latest_events as latest_events
from twinflow.contrib.testing.summaries import latest_summaries as latest_summaries
from twinflow.contrib.testing.summaries import simple_values_from_events as simple_values_from_events
from twinflow.contrib.testing.summaries import to_summary_proto as to_summary_proto

__all__ = [
"FakeSummaryWriter", "assert_summary", "latest_event_file", "latest_events",
"latest_summaries", "simple_values_from_events", "to_summary_proto"
]
