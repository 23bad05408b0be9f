"""A cluster of this machine: `python -m ggp.cluster.warden FOLDER CPUS` (0: one a core).

It prints its address, and ends with all its processes and its folder when its input does, which is
when the one that started it is gone, for whatever reason. Exit code 1 where it cannot be started;
why is printed then.
"""

from __future__ import annotations

import os
import shutil
import sys
from contextlib import suppress

import psutil
import ray


def main(folder: str, cpus: str) -> None:
    """Be there until the input ends."""
    code = 1
    try:
        told = _started(folder, int(cpus) or None)
        code = 0
    except Exception as error:  # whatever Ray raises, which differs from version to version
        told = str(error).strip() or type(error).__name__
    with suppress(OSError):  # who started this may be gone already
        print(told, flush=True)
        if code == 0:
            sys.stdin.read()
    _kill_descendants()
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(code)  # nothing is left that could be told of the end


def _started(folder: str, cpus: int | None) -> str:
    """Start a cluster; its address."""
    ray.init(
        "local",
        num_cpus=cpus,
        include_dashboard=False,
        log_to_driver=False,
        logging_level="CRITICAL",
        _temp_dir=os.path.join(folder, "ray"),
    )
    return str(ray.get_runtime_context().gcs_address)


def _kill_descendants() -> None:
    left = psutil.Process().children(recursive=True)
    for process in left:
        with suppress(psutil.Error):
            process.kill()
    psutil.wait_procs(left, timeout=1)


if __name__ == "__main__":
    main(*sys.argv[1:])
