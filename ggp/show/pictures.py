"""Pictures by matplotlib: the same file for the same data, readable without colour, described."""

from __future__ import annotations

import hashlib
import io
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from ggp.errors import InputError
from ggp.text import plain, shortened
from ggp.whole import replaced

PICTURES = (".png", ".svg", ".pdf")
"""What files of pictures are called."""

STYLE = {
    "text.parse_math": False,
    "text.usetex": False,
    "svg.hashsalt": "ggp",
    "hatch.linewidth": 0.6,
}
"""No text is a formula, and names of parts of a picture come from what is in it."""

GREYS = ("#ffffff", "#bbbbbb", "#777777", "#333333")
HATCHES = ("", "///", "\\\\\\", "xxx")
LINES = ("-", "--", ":", "-.")
MARKERS = ("o", "s", "^", "D")
"""What tells kinds apart, whatever the colour; the k-th of each goes with the k-th kind."""

EDGE = "#000000"


@dataclass(frozen=True)
class Alt:
    """What a picture is called, and what it shows, for who does not see it."""

    title: str
    description: str

    def __post_init__(self) -> None:
        for name, most in (("title", 200), ("description", 2_000)):
            object.__setattr__(self, name, literal(getattr(self, name), most))


def literal(text: object, most: int = 60) -> str:
    """Text on one line, of at most so many characters."""
    return shortened(plain(text).replace("\n", " "), most)


def require_pictures() -> None:
    """Raise `InputError` where there is nothing to draw with."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise InputError("pictures need matplotlib: pip install 'ggp[table]'") from None


def require_picture(file: Path) -> None:
    """Raise `InputError` where no picture is called as `file` is, or none can be drawn."""
    if file.suffix.lower() not in PICTURES:
        wanted = " or ".join(PICTURES)
        raise InputError(f"{file}: expected a name that ends in {wanted}", file=file)
    require_pictures()


@dataclass(frozen=True)
class Picture:
    """What `draw` puts on a figure of a `size` in inches."""

    draw: Callable[[Any], None]
    size: tuple[float, float]
    alt: Alt

    def data(self, suffix: str = ".svg") -> bytes:
        """The picture as a file of a kind of `PICTURES`.

        Equal drawings give equal bytes, whatever style the user has chosen. Raises `InputError`
        without matplotlib.
        """
        require_pictures()
        from matplotlib import style
        from matplotlib.figure import Figure

        suffix, out = suffix.lower(), io.BytesIO()
        with warnings.catch_warnings(), style.context(["default", STYLE]):
            # Signs that no font has are boxes; the description has them as text.
            warnings.simplefilter("ignore", UserWarning)
            figure = Figure(figsize=self.size, layout="constrained")
            self.draw(figure)
            figure.savefig(out, format=suffix[1:], dpi=150, metadata=_metadata(self.alt, suffix))
        data = out.getvalue()
        return labelled(data.decode(), self.alt).encode() if suffix == ".svg" else data

    def save(self, file: Path) -> None:
        """Write it to a file, whole or not at all; raises `InputError` where that is impossible."""
        data = self.data(file.suffix)
        try:
            with replaced(file) as place:
                place.write_bytes(data)
        except OSError as error:
            raise InputError(f"{file}: {error.strerror or error}", file=file) from error


def _metadata(alt: Alt, suffix: str) -> dict[str, Any]:
    """Title and description in the words of a format, without the date."""
    if suffix == ".pdf":
        return {"Title": alt.title, "Subject": alt.description, "CreationDate": None}
    if suffix == ".svg":
        return {"Description": alt.description, "Date": None}
    return {"Title": alt.title, "Description": alt.description}


def labelled(svg: str, alt: Alt) -> str:
    """An SVG that says what it shows to readers of screens; its first tag must be without these."""
    start = svg.index("<svg ") + 4
    end = svg.index(">", start) + 1
    # A page may hold many pictures, and each name once.
    name = hashlib.sha256(f"{alt.title}\0{alt.description}".encode()).hexdigest()[:12]
    role = f' role="img" aria-labelledby="title-{name} about-{name}"'
    told = f'<title id="title-{name}">{escape(alt.title)}</title>'
    told += f'<desc id="about-{name}">{escape(alt.description)}</desc>'
    return f"{svg[:start]}{role}{svg[start:end]}\n{told}{svg[end:]}"
