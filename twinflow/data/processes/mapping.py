"""Maps in other processes, for functions that compute in Python.

Note [Workers]: a process is started anew, never forked: it shares nothing with this one
but pipes and unnamed memory, so nothing is left when either of them dies. It gets the
function (Note [Shipping]) and traces it again. A crew of workers belongs to one pass at
a time, then rests with the dataset, and is hired by the next pass; a worker that rests
for long ends by itself. Elements travel in chunks of some milliseconds of work; each
worker has several of them, so that it works ahead while nobody reads.
"""

import weakref

from twinflow.data.pipeline.work_ahead import Ahead, Chunk
from twinflow.data.processes.crew import SLOTS, raised


def mapped_in_processes(source, crews, count, values):
    """As stages.mapped, by `count` processes; the order is kept.

    Args:
        crews: who knows the function. values: the arrays that it captured.
    """
    return lambda: InProcesses(source(), crews, count, values)


class InProcesses(Ahead):
    """The results of a function, computed ahead by other processes."""

    def __init__(self, inner, crews, count, values):
        super().__init__(inner, SLOTS * count)
        self.crews, self.count, self.values = crews, count, values
        self.crew = None

    def _begin(self):
        self.crew = self.crews.hire(self.count, self.values)
        self.leave = weakref.finalize(self, self.crews.release, self.crew)

    def _has_room(self):
        return any(w.free for w in self.crew.workers)

    def _give(self, rows):
        worker = max(self.crew.workers, key=lambda w: len(w.free))
        worker.work(Chunk.of(rows), self.crew.number)
        return worker

    def _is_ready(self, worker):
        return worker.heard.poll()

    def _take(self, worker):
        chunk, failed, seconds = worker.result()
        nodes = self.crews.task.nodes
        return chunk, {i: raised(f, nodes) for i, f in failed.items()}, seconds

    def _interrupted(self):
        """A message may have come through in part: other workers do all again."""
        self.saved.extendleft(reversed(list(self._given())))
        self.queue.clear()
        self.ended = False
        self._end(False)

    def _end(self, well):
        self.begun, crew, self.crew = False, self.crew, None
        if crew is not None:
            if not well:
                crew.stop()
            self.leave()
