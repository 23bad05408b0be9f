"""One of two machines of a cluster is lost in the middle of a solution: run by `test_solving`.

python -m tests.cluster.two_machines FOLDER
"""

import sys
import threading
import time
from pathlib import Path

import ray
from ray.cluster_utils import Cluster

import ggp
from ggp.cluster.solving.actors import Actors
from ggp.solver.layers.packed import Keeping
from tests.conftest import GAMES


def main(folder: Path) -> None:
    """Say how many positions differ from those of one machine."""
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 2})
    lost = cluster.add_node(num_cpus=2)
    ray.init(address=cluster.address, log_to_driver=False, logging_level="ERROR")
    game = ggp.load(GAMES / "connect-four" / "connect-four.kif.jinja", columns=5, rows=4)
    one = game.solve(method="layers")

    def lose() -> None:
        while not list(folder.glob("part-*/moved-*.npy")):
            time.sleep(0.05)
        cluster.remove_node(lost, allow_graceful=False)
        (folder.parent / "lost").touch()

    threading.Thread(target=lose, daemon=True).start()
    many = game.solve(keeping=Keeping(checkpoint=folder, elsewhere=Actors(ray, 4)))
    assert (folder.parent / "lost").exists()
    assert (len(many.layers), many.moves) == (len(one.layers), one.moves)
    wrong = 0
    for rank in one.layers.ranks:
        layer = one.layers.layers[rank].sorted()
        codes, missing = many.layers.layers[rank].look_up(layer.keys.copy())
        wrong += missing + int((codes != layer.values).sum())
    print(f"{len(one.layers):,} positions, {wrong} wrong")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
