"""Elements of several passes in turns."""

from twinflow.data.iterators import Elements

_END = object()


def interleaved(source, function, cycle_length, block_length):
    """Elements of the passes that `function` gives, `block_length` of each in turn.

    Args:
        function: from an element to a pass. cycle_length: how many are open at once.
    """

    def start():
        inputs, open_ = iter(source()), [None] * cycle_length
        place, left, more, count = 0, block_length, True, 0
        while more or count:
            if open_[place] is not None:
                found = next(open_[place], _END)
                if found is not _END:
                    left -= 1
                    if not left:
                        place, left = (place + 1) % cycle_length, block_length
                    yield found
                    continue
                open_[place], count = None, count - 1
            elif more:
                element = next(inputs, _END)
                if element is not _END:
                    open_[place], count = iter(function(element)), count + 1
                    continue
                more = False
            place, left = (place + 1) % cycle_length, block_length

    return lambda: Elements(start())


def chosen(sources, choices):
    """Elements of the sources that a source of int64 scalars chooses.

    The end of a source that is chosen again is passed over.
    """

    def start():
        passes = [iter(s()) for s in sources]
        for (index,) in choices():
            found = next(passes[int(index)], _END)
            if found is not _END:
                yield found

    return lambda: Elements(start())
