"""tf.image: images resized, cropped, recolored, compared, decoded and encoded."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.ops.image.resize: resize_area resize_bicubic resize_bilinear
twinflow.ops.image.resize: resize_nearest_neighbor
twinflow.ops.image.place: ResizeMethod central_crop crop_to_bounding_box
twinflow.ops.image.place: pad_to_bounding_box resize_image_with_crop_or_pad
twinflow.ops.image.place: resize_image_with_pad resize_images
twinflow.ops.image.flip: flip_left_right flip_up_down random_flip_left_right
twinflow.ops.image.flip: random_flip_up_down rot90 transpose_image
twinflow.ops.image.crop: crop_and_resize
twinflow.ops.image.glimpse: extract_glimpse
twinflow.ops.nn.patches: extract_image_patches
twinflow.ops.random.choice: random_crop
twinflow.ops.image.color: convert_image_dtype grayscale_to_rgb hsv_to_rgb rgb_to_hsv
twinflow.ops.image.color: rgb_to_grayscale rgb_to_yiq rgb_to_yuv yiq_to_rgb yuv_to_rgb
twinflow.ops.image.adjust: adjust_brightness adjust_contrast adjust_gamma adjust_hue
twinflow.ops.image.adjust: adjust_saturation per_image_standardization
twinflow.ops.image.adjust: random_brightness random_contrast random_hue
twinflow.ops.image.adjust: random_saturation
twinflow.ops.image.quality: image_gradients psnr sobel_edges ssim ssim_multiscale
twinflow.ops.image.quality: total_variation
twinflow.ops.image.nms: non_max_suppression non_max_suppression_overlaps
twinflow.ops.image.nms: non_max_suppression_padded
twinflow.ops.image.boxes: draw_bounding_boxes sample_distorted_bounding_box
twinflow.ops.image.bmp: decode_bmp
twinflow.ops.image.decode: decode_and_crop_jpeg decode_gif decode_jpeg decode_png
twinflow.ops.image.decode: extract_jpeg_shape
twinflow.ops.image.detect: decode_image is_jpeg
twinflow.ops.image.encode: adjust_jpeg_quality encode_jpeg encode_png
twinflow.ops.image.encode: random_jpeg_quality
""",
)
