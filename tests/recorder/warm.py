"""Runs in the user's interpreter: imports torch once, then forks one child per recorded script.

Reads the path of a config.json per line and answers with the exit status. Nothing is computed before the fork, so
that no thread pool exists in the parent; the cold path (``python launch.py``) is tested on its own.
"""

from __future__ import annotations

import importlib.util
import json
import os
import random
import runpy
import signal
import sys
import traceback
from pathlib import Path
from typing import Any

LAST_RESORT_S = 60


def main(launch_path: str) -> None:
    import torch._dynamo
    import torch.optim
    from torch import nn
    from torch.utils import data  # noqa: F401

    torch.optim.SGD(nn.Linear(1, 1).parameters(), lr=0.1)
    spec = importlib.util.spec_from_file_location("_launch", launch_path)
    assert spec is not None
    assert spec.loader is not None
    launch = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(launch)
    print("ready", flush=True)
    for line in sys.stdin:
        pid = os.fork()
        if pid == 0:
            _child(launch, line.rstrip("\n"))
        _, status = os.waitpid(pid, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


def _child(launch: Any, config: str) -> None:
    """Become ``python launch.py config``: its output in files beside the config, its folder as working folder."""
    folder = Path(config).parent
    signal.alarm(LAST_RESORT_S)
    for number, name in ((0, os.devnull), (1, "stdout.txt"), (2, "stderr.txt")):
        mode = os.O_RDONLY if number == 0 else os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        os.dup2(os.open(folder / name, mode, 0o600), number)
    os.chdir(folder / "project")
    sys.path.remove(str(Path(__file__).resolve().parent))
    sys.argv = [launch.__file__, config]
    try:
        settings = json.loads(Path(config).read_text(encoding="utf-8"))
        if settings.get("bare"):
            _bare(settings)
        launch.main()
    except BaseException:
        traceback.print_exc()
    sys.stderr.flush()
    os._exit(97)


def _bare(settings: dict[str, Any]) -> None:
    """The script without any recorder, seeded alike: what a neutral recorder must not change."""
    import torch

    random.seed(settings["seed"])
    torch.manual_seed(settings["seed"])
    sys.argv = [settings["script"], *settings["argv"]]
    sys.path.insert(0, str(Path(settings["script"]).parent))
    runpy.run_path(settings["script"], run_name="__main__")
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1])
