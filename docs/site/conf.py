"""Settings of Sphinx for the site of the documents; docs/site/build.py runs it."""

import twinflow

project, author, copyright = "twinflow", "the twinflow authors", "the twinflow authors"
version = release = twinflow.__version__
extensions = ["myst_parser", "sphinx_copybutton", "sphinx_design"]
myst_enable_extensions = ["attrs_block", "colon_fence", "deflist"]
myst_heading_anchors = 4
suppress_warnings = [
    "misc.highlighting_failure"
]  # listings that are not whole programs
highlight_language = "python"
python_maximum_signature_line_length = 80
add_function_parentheses = False
html_theme, html_title = "furo", "twinflow"
html_static_path, html_css_files = ["static"], ["site.css"]
html_copy_source = html_show_sphinx = False
html_theme_options = {"navigation_with_keys": True}
