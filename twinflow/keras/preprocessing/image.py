"""tf.keras.preprocessing.image: pictures as arrays, and random changes of them."""

from twinflow.keras.preprocessing import (
    image_augmentation,
    image_files,
    image_iterators,
    image_warping,
)

Iterator = image_iterators.Iterator
NumpyArrayIterator = image_iterators.NumpyArrayIterator
DirectoryIterator = image_iterators.DirectoryIterator
ImageDataGenerator = image_augmentation.ImageDataGenerator
array_to_img, img_to_array = image_files.array_to_img, image_files.img_to_array
load_img, save_img = image_files.load_img, image_files.save_img
apply_affine_transform = image_warping.apply_affine_transform
apply_brightness_shift = image_warping.apply_brightness_shift
apply_channel_shift = image_warping.apply_channel_shift
random_brightness = image_warping.random_brightness
random_channel_shift = image_warping.random_channel_shift
random_rotation = image_warping.random_rotation
random_shear = image_warping.random_shear
random_shift = image_warping.random_shift
random_zoom = image_warping.random_zoom
