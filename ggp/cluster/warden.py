"""A cluster of this machine: `python -m ggp.cluster.warden FOLDER CPUS` (0: one a core).

It prints its address, and ends with all its processes and its folder when its input does, which is
when the one that started it is gone, for whatever reason. Exit code 1 where it cannot be started;
why is printed then.
"""

from __future__ import annotations

import os
import shutil
import sys

import psutil
import ray


def main(folder: str, cpus: str) -> None:
    """Be there until the input ends."""
    code = 0
    try:
        ray.init(
            "local",
            num_cpus=int(cpus) or None,
            include_dashboard=False,
            log_to_driver=False,
            logging_level="CRITICAL",
            _temp_dir=folder,
        )
        print(ray.get_runtime_context().gcs_address, flush=True)
        sys.stdin.read()
    except Exception as error:  # whatever Ray raises, which differs from version to version
        code = 1
        print(str(error).strip() or type(error).__name__, flush=True)
    _kill_descendants()
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(code)  # nothing is left that could be told of the end


def _kill_descendants() -> None:
    left = psutil.Process().children(recursive=True)
    for process in left:
        try:
            process.kill()
        except psutil.Error:
            continue
    psutil.wait_procs(left, timeout=1)


if __name__ == "__main__":
    main(*sys.argv[1:])
