"""Which exports stay: the choices of TensorFlow 1.12 among folders 0 to 11."""

import os

from twinflow.estimator import old_exports as exports


def _numbers(paths):
    return [path.export_version for path in paths]


def test_filters(tmp_path):
    for name in [*map(str, range(12)), "other"]:
        (tmp_path / name).mkdir()

    def parser(path):
        name = os.path.basename(path.path)
        return path._replace(export_version=int(name)) if name.isdigit() else None

    paths = exports.paths_of(str(tmp_path), parser)
    assert _numbers(paths) == [0, 1, 10, 11, 2, 3, 4, 5, 6, 7, 8, 9]
    largest, even = exports.largest_export_versions, exports.mod_export_version(2)
    assert _numbers(largest(3)(paths)) == [10, 11, 9]
    assert largest(0)(paths) == []
    assert largest(20)(paths) == paths
    every = exports.one_of_every_n_export_versions
    assert _numbers(every(3)(paths)) == [11, 3, 6, 9]
    assert _numbers(every(4)(paths)) == [11, 4, 8]
    assert _numbers(exports.negation(even)(paths)) == [1, 11, 3, 5, 7, 9]
    fifths = exports.mod_export_version(5)
    assert _numbers(exports.union(fifths, largest(1))(paths)) == [0, 10, 11, 5]
