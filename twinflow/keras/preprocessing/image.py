"""tf.keras.preprocessing.image: pictures as arrays, and random changes of them."""

from twinflow.keras.preprocessing import augmenting, image_iterators, pictures, warping

Iterator = image_iterators.Iterator
NumpyArrayIterator = image_iterators.NumpyArrayIterator
DirectoryIterator = image_iterators.DirectoryIterator
ImageDataGenerator = augmenting.ImageDataGenerator
array_to_img, img_to_array = pictures.array_to_img, pictures.img_to_array
load_img, save_img = pictures.load_img, pictures.save_img
apply_affine_transform = warping.apply_affine_transform
apply_brightness_shift = warping.apply_brightness_shift
apply_channel_shift = warping.apply_channel_shift
random_brightness = warping.random_brightness
random_channel_shift = warping.random_channel_shift
random_rotation, random_shear = warping.random_rotation, warping.random_shear
random_shift, random_zoom = warping.random_shift, warping.random_zoom
