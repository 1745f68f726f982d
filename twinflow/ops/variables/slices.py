"""Where the part of a variable that a partitioner cuts lies in the whole.

Note [Parts]: here a variable is in one part, which is called `name/part_0` in a graph as
in TensorFlow; in a checkpoint it stands under the name of the whole.
"""


class SaveSliceInfo:
    """Which part of a whole a variable is.

    Args:
        full_name: of the whole in a checkpoint. full_shape: of the whole.
        var_offset, var_shape: of the part, a number for each axis.
        save_slice_info_def, import_scope: a SaveSliceInfoDef in place of the others.
    """

    def __init__(
        self, full_name=None, full_shape=None, var_offset=None, var_shape=None,
        save_slice_info_def=None, import_scope=None,
    ):  # fmt: skip
        if save_slice_info_def is not None:
            given = save_slice_info_def
            scope = f"{import_scope}/" if import_scope else ""
            full_name, full_shape = scope + given.full_name, list(given.full_shape)
            var_offset, var_shape = list(given.var_offset), list(given.var_shape)
        self.full_name, self.full_shape = full_name, full_shape
        self.var_offset, self.var_shape = var_offset, var_shape

    @property
    def spec(self):
        """Shape and extents as the ops of checkpoints take them: "4 2 0,1:0,2"."""
        shape = " ".join(str(n) for n in self.full_shape)
        pairs = zip(self.var_offset, self.var_shape, strict=True)
        return f"{shape} " + ":".join(f"{start},{n}" for start, n in pairs)


def whole(name, shape):
    """The SaveSliceInfo of the only part."""
    sizes = list(shape)
    return SaveSliceInfo(name, sizes, [0] * len(sizes), sizes)


def saved_name(variable):
    """The name of a variable in checkpoints."""
    info = getattr(variable, "_save_slice_info", None)
    return variable.name.removesuffix(":0") if info is None else info.full_name


def slot_info(slot, primary, start):
    """The SaveSliceInfo of a slot of a part; None for that of a whole variable.

    The name is what TensorFlow makes of it: so many letters of the name of the slot are
    left out as that of the variable has, even if more stand before it.
    """
    info = getattr(primary, "_save_slice_info", None)
    if info is None:
        return None
    rest = slot.name.removesuffix(":0")[len(start) + 1 :]
    sizes = list(info.full_shape), list(info.var_offset), list(info.var_shape)
    return SaveSliceInfo(f"{info.full_name}/{rest}", *sizes)
