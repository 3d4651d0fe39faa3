import csv
import os
import sys
import tempfile

import torch

from telemetry.model import LineModel
from telemetry.stream import record
from telemetry.trainer import StreamTrainer

EPOCHS = 22


def main():
    torch.manual_seed(11)
    x_tr, y_tr = record(32, 800, seed=1)
    x_va, y_va = record(12, 800, seed=2)
    trainer = StreamTrainer(LineModel(x_tr.shape[-1]))
    path = os.path.join(tempfile.gettempdir(), "line_model.csv")
    with open(path, "w", newline="") as fh:
        w = csv.writer(fh)
        w.writerow(["epoch", "train_mse", "val_mse"])
        for e in range(EPOCHS):
            row = [e, round(trainer.epoch(x_tr, y_tr), 5), round(trainer.validate(x_va, y_va), 5)]
            w.writerow(row)
            print(*row, sep="\t", file=sys.stdout, flush=True)


if __name__ == "__main__":
    main()
