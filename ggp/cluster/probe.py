"""Whether a cluster takes in programs like this one: `python -m ggp.cluster.probe ADDRESS`.

Exit code 0 if so; else what Ray says of it is printed.
"""

from __future__ import annotations

import sys

import ray


def main(address: str) -> int:
    """Connect, and go."""
    try:
        ray.init(address, log_to_driver=False, logging_level="CRITICAL")
        ray.shutdown()
    except Exception as error:  # whatever Ray raises, which differs from version to version
        print(str(error).strip() or type(error).__name__)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
