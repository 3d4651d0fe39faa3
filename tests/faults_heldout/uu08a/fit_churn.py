import json
import os

import torch

from churn.callbacks import KeepBest, Log
from churn.model import ChurnNet
from churn.table import CATEGORIES, CustomerTable
from churn.trainer import Trainer

ROOT = os.path.dirname(os.path.abspath(__file__))


def main():
    with open(os.path.join(ROOT, "churn.json")) as f:
        cfg = json.load(f)
    torch.manual_seed(cfg["seed"])
    table = CustomerTable(os.path.join(ROOT, "customers.csv"), n_train=3400)
    model = ChurnNet([len(table.levels[c]) for c in CATEGORIES], table.numbers.shape[1], **cfg["model"])
    optimizer = torch.optim.AdamW(model.parameters(), **cfg["optimizer"])
    trainer = Trainer(model, optimizer, [Log(cfg["log_every"]), KeepBest(**cfg["keep_best"])], cfg["batch_size"])
    trainer.fit(table.part("train"), table.part("valid"), cfg["epochs"])
    loss, area = trainer.evaluate(*table.part("valid"))
    print(f"final model: validation loss {loss:.4f}, auc {area:.4f}")


if __name__ == "__main__":
    main()
