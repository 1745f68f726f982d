"""Random dot stereograms: pixels are of one color where TensorFlow 1.12 has them so."""

import numpy as np
import pytest

import twinflow as tf
from tests.modes import both

# A letter for a color, in the order of a row; "." is black. Made by TensorFlow 1.12.
FLAT = "abcdefghiabcdefghiabcdefghiabcdefghiabcdefghiabcde"
DOTS = "abcdefghiabcdefghiab..efghia..defghiabcdefghiabcde"
NEAR = {
    True: "abcdefghabcdefghabcdefghabcdeghabcdeghabijcdeghabi",
    False: "abcdefghabcdefghabcdefghabcdeghabcdeghabibcdeghabi",
}
FAR = "abacdefghabacdefghacdefghacdefghacdefghacdefghacde"
SIZES = {
    "convergence_dots_size": 2, "dots_per_inch": 7, "number_colors": 70000,
    "output_image_shape": [50, 9, 3], "output_data_window": [44, 4],
}  # fmt: skip
DEPTHS = [[1.0, 1, 3, 0], [0, 2, 2, 2]]


def stereogram(depths, **settings):
    make = tf.contrib.image.single_image_random_dot_stereograms
    return make(depths, **{**SIZES, **settings})


def letters(row):
    seen = {}
    return "".join(
        chr(97 + seen.setdefault(tuple(x), len(seen))) if x.any() else "." for x in row
    )


@both
@pytest.mark.parametrize("hidden", [True, False])
def test_colors_recur_where_1_12_has_them(run, hidden):
    found = run(lambda: stereogram(DEPTHS, hidden_surface_removal=hidden))
    wanted = [FLAT, NEAR[hidden], NEAR[hidden], FAR, FAR, FLAT, DOTS, DOTS, FLAT]
    assert [letters(row) for row in found] == wanted


@both
def test_numbers_of_colors(run):
    gray = run(lambda: stereogram(DEPTHS, number_colors=2, output_image_shape=[50, 9]))
    assert gray.shape == (9, 50, 1) and set(np.unique(gray)) == {0, 255}


@both
def test_what_it_refuses(run):
    with pytest.raises((ValueError, tf.errors.InvalidArgumentError), match="rank 2"):
        run(lambda: stereogram([1.0, 2.0]))
    with pytest.raises(tf.errors.InvalidArgumentError, match="is larger than"):
        run(lambda: stereogram(DEPTHS, output_data_window=[60, 4]))
