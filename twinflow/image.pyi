# Made by `make stubs` from the table of the index.
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.image.resize import resize_area as resize_area
from twinflow.ops.image.resize import resize_bicubic as resize_bicubic
from twinflow.ops.image.resize import resize_bilinear as resize_bilinear
from twinflow.ops.image.resize import resize_nearest_neighbor as resize_nearest_neighbor
from twinflow.ops.image.place import ResizeMethod as ResizeMethod
from twinflow.ops.image.place import central_crop as central_crop
from twinflow.ops.image.place import crop_to_bounding_box as crop_to_bounding_box
from twinflow.ops.image.place import pad_to_bounding_box as pad_to_bounding_box
from twinflow.ops.image.place import resize_image_with_crop_or_pad as resize_image_with_crop_or_pad
from twinflow.ops.image.place import resize_image_with_pad as resize_image_with_pad
from twinflow.ops.image.place import resize_images as resize_images
from twinflow.ops.image.flip import flip_left_right as flip_left_right
from twinflow.ops.image.flip import flip_up_down as flip_up_down
from twinflow.ops.image.flip import random_flip_left_right as random_flip_left_right
from twinflow.ops.image.flip import random_flip_up_down as random_flip_up_down
from twinflow.ops.image.flip import rot90 as rot90
from twinflow.ops.image.flip import transpose_image as transpose_image
from twinflow.ops.image.crop import crop_and_resize as crop_and_resize
from twinflow.ops.image.glimpse import extract_glimpse as extract_glimpse
from twinflow.ops.nn.patches import extract_image_patches as extract_image_patches
from twinflow.ops.random.choice import random_crop as random_crop
from twinflow.ops.image.color import convert_image_dtype as convert_image_dtype
from twinflow.ops.image.color import grayscale_to_rgb as grayscale_to_rgb
from twinflow.ops.image.color import hsv_to_rgb as hsv_to_rgb
from twinflow.ops.image.color import rgb_to_hsv as rgb_to_hsv
from twinflow.ops.image.color import rgb_to_grayscale as rgb_to_grayscale
def rgb_to_yiq(images: TensorValue) -> Tensor:
    r"""From RGB in [0, 1] to YIQ: one linear map of each pixel.

    Args:
        images: float[..., 3].
    Returns:
        A tensor like `images`.
    Example:
        tf.image.rgb_to_yiq([[[0.5, 0.5, 0.5]]])  # 0.5, 0.0, 0.0
    """
def rgb_to_yuv(images: TensorValue) -> Tensor:
    r"""From RGB in [0, 1] to YUV: one linear map of each pixel.

    Args:
        images: float[..., 3].
    Returns:
        A tensor like `images`.
    Example:
        tf.image.rgb_to_yuv([[[0.5, 0.5, 0.5]]])  # 0.5, 0.0, 0.0
    """
def yiq_to_rgb(images: TensorValue) -> Tensor:
    r"""From YIQ to RGB in [0, 1]: one linear map of each pixel.

    Args:
        images: float[..., 3].
    Returns:
        A tensor like `images`.
    Example:
        tf.image.yiq_to_rgb([[[0.5, 0.0, 0.0]]])  # 0.5, 0.5, 0.5
    """
def yuv_to_rgb(images: TensorValue) -> Tensor:
    r"""From YUV to RGB in [0, 1]: one linear map of each pixel.

    Args:
        images: float[..., 3].
    Returns:
        A tensor like `images`.
    Example:
        tf.image.yuv_to_rgb([[[0.5, 0.0, 0.0]]])  # 0.5, 0.5, 0.5
    """
from twinflow.ops.image.adjust import adjust_brightness as adjust_brightness
from twinflow.ops.image.adjust import adjust_contrast as adjust_contrast
from twinflow.ops.image.adjust import adjust_gamma as adjust_gamma
from twinflow.ops.image.adjust import adjust_hue as adjust_hue
from twinflow.ops.image.adjust import adjust_saturation as adjust_saturation
from twinflow.ops.image.adjust import per_image_standardization as per_image_standardization
from twinflow.ops.image.adjust import random_brightness as random_brightness
from twinflow.ops.image.adjust import random_contrast as random_contrast
from twinflow.ops.image.adjust import random_hue as random_hue
from twinflow.ops.image.adjust import random_saturation as random_saturation
from twinflow.ops.image.quality import image_gradients as image_gradients
from twinflow.ops.image.quality import psnr as psnr
from twinflow.ops.image.quality import sobel_edges as sobel_edges
from twinflow.ops.image.quality import ssim as ssim
from twinflow.ops.image.quality import ssim_multiscale as ssim_multiscale
from twinflow.ops.image.quality import total_variation as total_variation
from twinflow.ops.image.nms import non_max_suppression as non_max_suppression
from twinflow.ops.image.nms import non_max_suppression_overlaps as non_max_suppression_overlaps
from twinflow.ops.image.nms import non_max_suppression_padded as non_max_suppression_padded
from twinflow.ops.image.boxes import draw_bounding_boxes as draw_bounding_boxes
from twinflow.ops.image.boxes import sample_distorted_bounding_box as sample_distorted_bounding_box
from twinflow.ops.image.bmp import decode_bmp as decode_bmp
from twinflow.ops.image.decode import decode_and_crop_jpeg as decode_and_crop_jpeg
from twinflow.ops.image.decode import decode_gif as decode_gif
from twinflow.ops.image.decode import decode_jpeg as decode_jpeg
from twinflow.ops.image.decode import decode_png as decode_png
from twinflow.ops.image.decode import extract_jpeg_shape as extract_jpeg_shape
from twinflow.ops.image.detect import decode_image as decode_image
from twinflow.ops.image.detect import is_jpeg as is_jpeg
from twinflow.ops.image.encode import adjust_jpeg_quality as adjust_jpeg_quality
from twinflow.ops.image.encode import encode_jpeg as encode_jpeg
from twinflow.ops.image.encode import encode_png as encode_png
from twinflow.ops.image.encode import random_jpeg_quality as random_jpeg_quality

__all__ = [
"resize_area", "resize_bicubic", "resize_bilinear", "resize_nearest_neighbor",
"ResizeMethod", "central_crop", "crop_to_bounding_box", "pad_to_bounding_box",
"resize_image_with_crop_or_pad", "resize_image_with_pad", "resize_images",
"flip_left_right", "flip_up_down", "random_flip_left_right", "random_flip_up_down",
"rot90", "transpose_image", "crop_and_resize", "extract_glimpse",
"extract_image_patches", "random_crop", "convert_image_dtype", "grayscale_to_rgb",
"hsv_to_rgb", "rgb_to_hsv", "rgb_to_grayscale", "rgb_to_yiq", "rgb_to_yuv",
"yiq_to_rgb", "yuv_to_rgb", "adjust_brightness", "adjust_contrast", "adjust_gamma",
"adjust_hue", "adjust_saturation", "per_image_standardization", "random_brightness",
"random_contrast", "random_hue", "random_saturation", "image_gradients", "psnr",
"sobel_edges", "ssim", "ssim_multiscale", "total_variation", "non_max_suppression",
"non_max_suppression_overlaps", "non_max_suppression_padded", "draw_bounding_boxes",
"sample_distorted_bounding_box", "decode_bmp", "decode_and_crop_jpeg", "decode_gif",
"decode_jpeg", "decode_png", "extract_jpeg_shape", "decode_image", "is_jpeg",
"adjust_jpeg_quality", "encode_jpeg", "encode_png", "random_jpeg_quality"
]
