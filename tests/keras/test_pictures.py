"""ImageDataGenerator: the numbers that TensorFlow 1.12 gives for the same seeds."""

import numpy as np
import pytest

import twinflow as tf

image = tf.keras.preprocessing.image
Generator = image.ImageDataGenerator
RANDOM = np.random.RandomState(0)
X = RANDOM.uniform(0, 255, [7, 6, 5, 3]).astype(np.float32)
LARGE = RANDOM.uniform(0, 255, [20, 24, 3]).astype(np.float32)
Y = np.arange(7)
MANY = {
    "rotation_range": 20, "width_shift_range": 0.2, "height_shift_range": 2,
    "shear_range": 5, "zoom_range": 0.3, "brightness_range": (0.5, 1.5),
    "horizontal_flip": True, "vertical_flip": True, "channel_shift_range": 4.0,
    "rescale": 0.1,
}  # fmt: skip


def batches(settings, **flow):
    """(sum, first number) and the labels of four batches."""
    flow = Generator(**settings).flow(X, Y, batch_size=3, seed=5, **flow)
    found = [next(flow) for _ in range(4)]
    return [[a.sum(), a.ravel()[1]] for a, _ in found], [b.tolist() for _, b in found]


@pytest.mark.parametrize(
    "settings, wanted",
    [
        (
            {"horizontal_flip": True, "vertical_flip": True},
            [[34575.88, 165.035], [34518.98, 2.987], [10969.64, 3.375]]
            + [[33997.63, 140.809]],
        ),
        (MANY, [[3048.7, 20.8], [3474.5, 9.8], [1169.4, 16.4], [3026.2, 9.9]]),
    ],
)
def test_a_seed_gives_the_pictures_of_1_12(settings, wanted):
    numbers, labels = batches(settings)
    np.testing.assert_allclose(numbers, wanted, rtol=2e-4, atol=1e-3)
    assert labels == [[6, 2, 4], [1, 0, 5], [3], [2, 0, 6]]


def test_changes_are_drawn_in_the_order_of_1_12():
    settings = {**MANY, "width_shift_range": 0.2, "height_shift_range": 3}
    settings |= {"vertical_flip": False, "channel_shift_range": 0.0}
    found = Generator(**settings).get_random_transform((6, 5, 3), seed=3)
    assert found == pytest.approx(
        {
            "theta": 2.0319161029830184, "tx": 1, "ty": -0.4181905221741114,
            "shear": 0.10827605197663015, "zx": 1.235768172608593,
            "zy": 1.237775853360063, "flip_horizontal": 1, "flip_vertical": 0,
            "channel_shift_intensity": None, "brightness": 0.5514672033008299,
        }
    )  # fmt: skip
    lists = Generator(
        width_shift_range=[-1, 2], height_shift_range=[0.1, 0.2], zoom_range=(0.5, 2.0)
    )
    found = lists.get_random_transform((6, 5, 3), seed=3)
    found = [found[k] for k in ("theta", "tx", "ty", "zx")]
    assert found == pytest.approx([0, -0.6, 2, 0.9363571083694164])


def test_one_change():
    turned = image.apply_affine_transform(LARGE, theta=20)
    assert turned.ravel()[:3] == pytest.approx([20.495, 82.129, 68.522], abs=1e-3)
    lighter = image.apply_brightness_shift(X[0].copy(), 1.3)
    assert lighter.ravel()[:3].tolist() == [180, 237, 198]


def test_other_inputs_come_along():
    other = np.arange(14).reshape(7, 2)
    x, y = next(Generator().flow([X, other], Y, batch_size=2, shuffle=False))
    np.testing.assert_array_equal(x[0], X[:2])
    np.testing.assert_array_equal(x[1], other[:2])
    assert y.tolist() == [0, 1]
    weighted = next(Generator().flow(X, sample_weight=np.ones(7), batch_size=2))
    assert weighted.shape == (2, 6, 5, 3)
    with pytest.raises(ValueError, match="should have the same length"):
        Generator().flow([X, other[:3]], Y)


def test_pictures_are_written(tmp_path):
    pytest.importorskip("PIL")
    flow = Generator().flow(
        X[:3], save_to_dir=str(tmp_path), save_prefix="q", shuffle=False
    )
    next(flow)
    names = sorted(path.name.rsplit("_", 1)[0] for path in tmp_path.glob("*.png"))
    assert names == ["q_0", "q_1", "q_2"]


def test_settings_that_need_others():
    with pytest.warns(UserWarning, match="`zca_whitening`, which overrides"):
        assert Generator(zca_whitening=True).featurewise_center
    with pytest.warns(UserWarning, match="`samplewise_std_normalization`, which"):
        assert Generator(samplewise_std_normalization=True).samplewise_center
    with pytest.warns(UserWarning, match="hasn't been fit on any training data"):
        x = Generator(featurewise_center=True).standardize(X[0])
    np.testing.assert_array_equal(x, X[0])
    with pytest.raises(ValueError, match=r"after row and column.*Received: x"):
        Generator(data_format="x")
    with pytest.raises(ValueError, match="tuple or list of two floats"):
        Generator(brightness_range=3.0)
    with pytest.raises(ValueError, match="Invalid color mode: x"):
        Generator().flow_from_directory(".", color_mode="x")
