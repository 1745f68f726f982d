"""Elements of several passes in turns."""

from twinflow.data.pipeline.positions import element_of, place_of, put
from twinflow.data.pipeline.stages import Stage, Staged, check_length


class Interleaved(Stage):
    """Elements of the passes that a function gives, some of each in turn.

    Attributes:
        open: (the element it was made from, a pass, its iterator); None = a free place.
        place: whose turn it is. left: how many elements more its turn has.
        more: whether there may be further passes.
    """

    def __init__(self, outer, function, cycle_length, block_length):
        self.outer, self.function, self.block_length = outer, function, block_length
        self.open: list = [None] * cycle_length
        self.place, self.left, self.more = 0, block_length, True

    def elements(self):
        open_, size, block = self.open, len(self.open), self.block_length
        while self.more or any(open_):
            place = self.place
            if open_[place] is not None:
                for found in open_[place][-1]:
                    self.left -= 1
                    if self.left:
                        yield found
                        continue
                    self.place, self.left = (place + 1) % size, block
                    yield found
                    break
                else:
                    open_[place] = None
                    self._turn()
                continue
            element = next(iter(self.outer), None) if self.more else None
            if element is None:
                self.more = False
                self._turn()
            else:
                found = self.function(element)
                open_[place] = element, found, iter(found)
        self.over = True

    def _turn(self):
        self.place, self.left = (self.place + 1) % len(self.open), self.block_length

    def state(self):
        passes = [p and [p[0], place_of(p[1])] for p in self.open]
        return [place_of(self.outer), passes, self.place, self.left, int(self.more)]

    def resume(self, outer, passes, place, left, more):
        check_length(len(passes), len(self.open))
        put(self.outer, outer)
        self.open = [p and self._opened(*p) for p in passes]
        self.place, self.left, self.more = place, left, bool(more)

    def _opened(self, element, place):
        element = element_of(element)
        found = self.function(element)
        put(found, place)
        return element, found, iter(found)


def interleaved(source, function, cycle_length, block_length):
    """Elements of the passes that `function` gives, `block_length` of each in turn.

    Args:
        function: from an element to a pass. cycle_length: how many are open at once.
    """
    return lambda: Staged(Interleaved(source(), function, cycle_length, block_length))


class Chosen(Stage):
    """Elements of the passes that a pass of int64 scalars chooses.

    Attributes:
        ended: the numbers of the passes that gave no more.
    """

    def __init__(self, passes, choices):
        self.passes, self.choices, self.ended = passes, choices, set()

    def elements(self):
        for (index,) in self.choices:
            for found in self.passes[int(index)]:
                yield found
                break
            else:
                self.ended.add(int(index))
                if len(self.ended) == len(self.passes):
                    break
        self.over = True

    def state(self):
        places = map(place_of, self.passes)
        return [place_of(self.choices), sorted(self.ended), *places]

    def resume(self, choices, ended, *places):
        check_length(len(places), len(self.passes))
        put(self.choices, choices)
        self.ended = set(ended)
        for p, place in zip(self.passes, places):
            put(p, place)


def chosen(sources, choices):
    """Elements of the sources that a source of int64 scalars chooses.

    The end of a source that is chosen again is passed over; all ends are the end.
    """
    return lambda: Staged(Chosen([source() for source in sources], choices()))
