"""Entry point inside the user's interpreter: ``python -u launch.py config.json``.

Loads the recorder under a private name, so that no name of ours is importable by the script, seeds, installs
the hooks, runs the script, and writes how it ended.
"""

from __future__ import annotations

import importlib.util
import json
import os
import sys
from typing import Any

NAME = "_lossdoctor_recorder"


def main() -> None:
    with open(sys.argv[1], encoding="utf-8") as file:
        config: dict[str, Any] = json.load(file)
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [p for p in sys.path if os.path.abspath(p or ".") != here]
    spec = importlib.util.spec_from_file_location(
        NAME, os.path.join(here, "__init__.py"), submodule_search_locations=[here]
    )
    assert spec is not None
    assert spec.loader is not None
    package = importlib.util.module_from_spec(spec)
    sys.modules[NAME] = package
    spec.loader.exec_module(package)
    os.makedirs(config["trace"], exist_ok=True)
    run = importlib.import_module(f"{NAME}.run")
    run.main(config)


if __name__ == "__main__":
    main()
