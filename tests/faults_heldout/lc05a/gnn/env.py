from pathlib import Path
from types import SimpleNamespace


def read_env(path):
    values = {}
    for raw in Path(path).read_text().splitlines():
        raw = raw.strip()
        if not raw or raw.startswith("#"):
            continue
        k, v = raw.split("=", 1)
        values[k.lower()] = v
    return SimpleNamespace(
        graph_file=values["graph_file"],
        hidden=int(values["hidden"]),
        dropout=float(values["dropout"]),
        lr=float(values["learning_rate"]),
        betas=tuple(float(b) for b in values["adam_betas"].split(",")),
        eps=float(values["adam_eps"]),
        weight_decay=float(values["weight_decay"]),
        iterations=int(values["iterations"]),
        seed=int(values["seed"]),
    )
