import json
import pathlib

import torch

from churn.data import build
from churn.model import ChurnNet
from churn.trainer import Trainer


def main():
    cfg = json.loads((pathlib.Path(__file__).parent / "config.json").read_text())
    torch.manual_seed(cfg["data"]["seed"])
    t = cfg["train"]
    train, val, weights = build(cfg["data"], t["batch_size"])
    model = ChurnNet(20, **cfg["model"])
    optimizer = torch.optim.AdamW(model.parameters(), lr=t["lr"], weight_decay=t["weight_decay"])
    trainer = Trainer(model, optimizer, torch.nn.CrossEntropyLoss(weight=weights))
    for epoch in range(t["epochs"]):
        tl = trainer.train(train)
        vl, bal, f1 = trainer.evaluate(val)
        print(f"epoch {epoch:02d}: train {tl:.4f} val {vl:.4f} balanced acc {bal:.3f} f1 {f1:.3f}")


if __name__ == "__main__":
    main()
