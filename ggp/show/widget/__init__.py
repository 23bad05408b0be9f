"""A game to click through in a notebook: all that is known is held here, a page shows it.

`page` needs the extra `ggp[notebook]`.
"""

from ggp.show.widget.opening import widget

__all__ = ["widget"]
