"""`python -m ggp`: the same as the command `ggp`."""

from ggp.cli.start import run

if __name__ == "__main__":
    run()
