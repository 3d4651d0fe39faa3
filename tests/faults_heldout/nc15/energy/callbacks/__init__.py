from .checkpoint import ModelCheckpoint
from .printer import Printer
from .stopping import EarlyStopping

CALLBACKS = {"model_checkpoint": ModelCheckpoint, "early_stopping": EarlyStopping, "printer": Printer}


def build_callbacks(specs):
    return [CALLBACKS[s["type"]](**{k: v for k, v in s.items() if k != "type"}) for s in specs]
