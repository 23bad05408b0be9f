"""The rule sheets of `games/` are installed inside the package, as `ggp/sheets/`."""

from pathlib import Path
from shutil import copytree, ignore_patterns

from setuptools import setup
from setuptools.command.build_py import build_py


class BuildWithGames(build_py):
    """Builds the package; where it is not run from the checkout itself, with the sheets."""

    def run(self) -> None:
        """Build."""
        super().run()
        if not self.editable_mode:
            target = Path(self.build_lib, "ggp", "sheets")
            copytree("games", target, ignore=ignore_patterns(".*"), dirs_exist_ok=True)


setup(cmdclass={"build_py": BuildWithGames})
