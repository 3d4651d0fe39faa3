import configparser
from pathlib import Path
from types import SimpleNamespace

HOME = Path(__file__).resolve().parent


def read_options(name="survival.ini"):
    cp = configparser.ConfigParser()
    with open(HOME / name) as fh:
        cp.read_file(fh)
    o = cp["optim"]
    return SimpleNamespace(
        data=HOME / cp["data"]["file"],
        valid_fraction=cp["data"].getfloat("valid_fraction"),
        hidden=cp["model"].getint("hidden"),
        dropout=cp["model"].getfloat("dropout"),
        lr=o.getfloat("lr"),
        momentum=o.getfloat("momentum"),
        weight_decay=o.getfloat("weight_decay"),
        max_grad_norm=o.getfloat("max_grad_norm"),
        batch_size=o.getint("batch_size"),
        epochs=o.getint("epochs"),
        milestones=[int(m) for m in o["milestones"].split(",")],
        seed=cp["run"].getint("seed"),
        patience=cp["run"].getint("patience"),
        out=HOME / cp["run"]["out"],
    )
