"""Pillow: filters and measures of texts under their old names."""

from twinflow.compat.old_libraries.changing import Change


def image(module):
    """The names of filters until Pillow 10, and of conversions until 3."""
    filters, cls = module.Resampling, module.Image
    names = {
        "ANTIALIAS": filters.LANCZOS, "LINEAR": filters.BILINEAR,
        "CUBIC": filters.BICUBIC, "fromstring": module.frombytes,
    }  # fmt: skip
    methods = {"tostring": cls.tobytes, "fromstring": cls.frombytes}
    return [Change(module, names), Change(cls, methods)]


def drawing(module):
    """`textsize`, until Pillow 10."""

    def textsize(self, text, font=None, *args, **kwargs):
        box = self.multiline_textbbox if "\n" in text else self.textbbox
        return tuple(box((0, 0), text, font, *args, **kwargs)[2:])

    return [Change(module.ImageDraw, {"textsize": textsize})]


def fonts(module):
    """`getsize`, until Pillow 10."""

    def getsize(self, text, *args, **kwargs):
        return tuple(self.getbbox(text, *args, **kwargs)[2:])

    kinds = (module.FreeTypeFont, module.ImageFont, module.TransposedFont)
    return [Change(kind, {"getsize": getsize}) for kind in kinds]
