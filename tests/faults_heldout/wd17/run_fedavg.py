import json
from pathlib import Path

import numpy as np
import torch
from torch import nn

from fed.client import Client
from fed.partition import dirichlet_split, load
from fed.server import evaluate, weighted_average


def main():
    cfg = json.loads(Path(__file__).with_name("federation.json").read_text())
    torch.manual_seed(cfg["seed"])
    rng = np.random.default_rng(cfg["seed"])
    x_tr, y_tr, x_te, y_te = load(cfg["seed"])
    parts = dirichlet_split(y_tr, cfg["clients"], cfg["dirichlet_alpha"], rng)
    clients = [Client(x_tr[p], y_tr[p]) for p in parts]
    print("client sizes:", [len(c) for c in clients])

    model = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10))
    lr = cfg["lr"]
    for rnd in range(1, cfg["rounds"] + 1):
        picked = rng.choice(len(clients), cfg["clients_per_round"], replace=False)
        results = [clients[i].update(model, lr, cfg["local_epochs"], cfg["local_batch"]) for i in picked]
        sizes = [len(clients[i]) for i in picked]
        model.load_state_dict(weighted_average([s for s, _ in results], sizes))
        lr *= cfg["lr_decay"]
        local = np.average([l for _, l in results], weights=sizes)
        tr_loss, tr_acc = evaluate(model, x_tr, y_tr)
        te_loss, te_acc = evaluate(model, x_te, y_te)
        if rnd % 5 == 0 or rnd == 1:
            print(f"round {rnd:2d}  local loss {local:.4f}  global train {tr_loss:.4f}/{tr_acc:.3f}  test {te_loss:.4f}/{te_acc:.3f}")


if __name__ == "__main__":
    main()
