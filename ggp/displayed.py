"""How results are shown in notebooks: made by `ggp.show.notebook` when one is shown."""

from __future__ import annotations


class Displayed:
    """What a notebook shows as more than its text, by IPython's protocol."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        """Tables and pictures in HTML that holds no script, no style of the page, no request."""
        from ggp.show.notebook import html

        return html(self)


class Drawn(Displayed):
    """What is a picture, too."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        """The picture alone."""
        from ggp.show.notebook import svg

        return svg(self)
