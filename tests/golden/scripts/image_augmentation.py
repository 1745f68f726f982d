# A pipeline of distorted images: crops, flips, colors, boxes, standardization.
from __future__ import print_function

import numpy as np
import tensorflow as tf

rng = np.random.RandomState(8)
base = np.linspace(0, 1, 24 * 20 * 3).reshape(24, 20, 3)
pictures = np.clip(base + 0.2 * rng.rand(6, 24, 20, 3), 0, 1)
pictures = (pictures * 255).astype(np.uint8)
corners = np.array([[[0.1, 0.2, 0.6, 0.9]]] * 6, np.float32)


def stats(name, image):
    image = np.asarray(image, np.float64)
    print('%-14s %s mean %.4f std %.4f' % (name, image.shape, image.mean(), image.std()))


def distort_color(image, ordering):
    if ordering == 0:
        image = tf.image.random_brightness(image, max_delta=32. / 255.)
        image = tf.image.random_saturation(image, lower=0.5, upper=1.5)
        image = tf.image.random_hue(image, max_delta=0.2)
        image = tf.image.random_contrast(image, lower=0.5, upper=1.5)
    else:
        image = tf.image.random_contrast(image, lower=0.5, upper=1.5)
        image = tf.image.random_hue(image, max_delta=0.2)
        image = tf.image.random_brightness(image, max_delta=32. / 255.)
        image = tf.image.random_saturation(image, lower=0.5, upper=1.5)
    return tf.clip_by_value(image, 0.0, 1.0)


def distorted_crop(image, box):
    begin, size, shown = tf.image.sample_distorted_bounding_box(
        tf.shape(image), bounding_boxes=tf.expand_dims(box, 0), min_object_covered=0.1,
        aspect_ratio_range=[0.75, 1.33], area_range=[0.3, 1.0], max_attempts=50,
        use_image_if_no_bounding_boxes=True, seed=5)
    drawn = tf.image.draw_bounding_boxes(tf.expand_dims(image, 0), shown)
    cropped = tf.slice(image, begin, size)
    cropped.set_shape([None, None, 3])
    return cropped, drawn, shown


def preprocess(image, box, ordering):
    image = tf.image.convert_image_dtype(image, tf.float32)
    cropped, drawn, shown = distorted_crop(image, box)
    resized = tf.image.resize_images(cropped, [16, 16], method=tf.image.ResizeMethod.BILINEAR)
    resized = tf.image.resize_image_with_crop_or_pad(resized, 18, 18)
    patch = tf.random_crop(resized, [14, 14, 3])
    patch = tf.image.random_flip_left_right(patch)
    patch = tf.image.random_flip_up_down(patch, seed=3)
    patch = distort_color(patch, ordering)
    return drawn, shown, tf.image.per_image_standardization(patch)


def training():
    with tf.Graph().as_default(), tf.Session() as sess:
        tf.set_random_seed(12)
        image = tf.placeholder(tf.uint8, [None, None, 3])
        box = tf.placeholder(tf.float32, [1, 4])
        for ordering in range(2):
            drawn, shown, final = preprocess(image, box, ordering)
            print(final.shape, drawn.shape)
            for i in range(2):
                a, b, c = sess.run([drawn, shown, final], {image: pictures[i], box: corners[i]})
                stats('standard %d' % i, c)
                print(a.shape, b.shape, (b >= 0).all() and (b <= 1).all())


def single_steps(sess):
    image = tf.image.convert_image_dtype(pictures[0], tf.float32)
    for name, made in [
            ('brighter', tf.image.adjust_brightness(image, 0.1)),
            ('contrast', tf.image.adjust_contrast(image, 1.7)),
            ('hue', tf.image.adjust_hue(image, 0.15)),
            ('saturation', tf.image.adjust_saturation(image, 0.4)),
            ('gamma', tf.image.adjust_gamma(image, 0.5, 0.9)),
            ('gray', tf.image.rgb_to_grayscale(image)),
            ('hsv', tf.image.rgb_to_hsv(image)),
            ('yiq', tf.image.rgb_to_yiq(image)),
            ('yuv back', tf.image.yuv_to_rgb(tf.image.rgb_to_yuv(image))),
            ('central', tf.image.central_crop(image, 0.5)),
            ('pad', tf.image.pad_to_bounding_box(image, 2, 3, 30, 30)),
            ('crop box', tf.image.crop_to_bounding_box(image, 2, 3, 10, 12)),
            ('rotated', tf.image.rot90(image, 3)),
            ('transposed', tf.image.transpose_image(image)),
            ('sobel', tf.image.sobel_edges(image[tf.newaxis])),
            ('bicubic', tf.image.resize_bicubic(image[tf.newaxis], [9, 31])),
            ('area', tf.image.resize_area(image[tf.newaxis], [7, 5])),
            ('nearest', tf.image.resize_nearest_neighbor(image[tf.newaxis], [50, 3])),
            ('variation', tf.image.total_variation(image)),
            ('saturated', tf.image.convert_image_dtype(image * 3 - 1, tf.uint8, saturate=True))]:
        value = sess.run(made)
        stats(name, value)
    other = tf.image.adjust_brightness(image, 0.05)
    print(sess.run([tf.image.psnr(image, other, 1.0), tf.image.ssim(image, other, 1.0)]))
    png = tf.image.encode_png(pictures[1])
    back = tf.image.decode_image(png)
    print(back.shape, (sess.run(back) == pictures[1]).all())


def boxes(sess):
    batch = tf.constant(pictures[:3].astype(np.float32) / 255)
    regions = np.array([[0, 0, 1, 1], [.2, .2, .8, .7], [.5, 1, 0, 0], [-.2, 0, .4, 1.2]], np.float32)
    crops = tf.image.crop_and_resize(batch, regions, [0, 1, 2, 2], [4, 5], extrapolation_value=-1)
    nearest = tf.image.crop_and_resize(batch, regions, [0, 1, 2, 2], [3, 3], method='nearest')
    gradient = tf.gradients(tf.reduce_sum(crops[:2] ** 2), batch)[0]
    for name, made in [('crops', crops), ('nearest', nearest), ('gradient', gradient)]:
        stats(name, sess.run(made))
    kept = tf.image.non_max_suppression(regions, [.9, .8, .7, .6], 3, iou_threshold=0.3)
    print(sess.run(kept), sess.run(tf.image.extract_glimpse(batch, [4, 4], [[0., 0.]] * 3)).shape)


training()
with tf.Session() as session:
    single_steps(session)
    boxes(session)
