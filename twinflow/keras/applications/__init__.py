"""tf.keras.applications: known architectures; their weights from local files."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.keras.applications.densenet: densenet=*
twinflow.keras.applications.densenet: DenseNet121 DenseNet169 DenseNet201
twinflow.keras.applications.imagenet_utils: imagenet_utils=*
twinflow.keras.applications.inception_resnet_v2: inception_resnet_v2=*
twinflow.keras.applications.inception_resnet_v2: InceptionResNetV2
twinflow.keras.applications.inception_v3: inception_v3=* InceptionV3
twinflow.keras.applications.mobilenet: mobilenet=* MobileNet
twinflow.keras.applications.mobilenet_v2: mobilenet_v2=* MobileNetV2
twinflow.keras.applications.nasnet: nasnet=* NASNetLarge NASNetMobile
twinflow.keras.applications.resnet50: resnet50=* ResNet50
twinflow.keras.applications.vgg16: vgg16=* VGG16
twinflow.keras.applications.vgg19: vgg19=* VGG19
twinflow.keras.applications.xception: xception=* Xception
""",
)
