import time
from pathlib import Path

import torch
from torch import nn

from molgraph.gnn import PropertyNet
from molgraph.store import PlannedBatches, open_store

FOLDER = Path(__file__).resolve().parent
SETTINGS = {
    "store": FOLDER / "molecules.npz",
    "plan": FOLDER / "plan.npy",
    "atom_types": 6,
    "dim": 40,
    "layers": 3,
    "lr": 2e-3,
    "seed": 30,
}


@torch.no_grad()
def mean_absolute_error(model, store, mean, std, size=512):
    model.eval()
    total = 0.0
    for rows in torch.arange(len(store)).split(size):
        part = store.select(rows)
        total += (model(part) * std + mean - part.target).abs().sum().item()
    model.train()
    return total / len(store)


def main(settings):
    torch.manual_seed(settings["seed"])
    torch.set_num_threads(1)
    train, valid = open_store(settings["store"])
    batches = PlannedBatches(train, settings["plan"])
    mean, std = train.target.mean(), train.target.std()

    model = PropertyNet(settings["atom_types"], settings["dim"], settings["layers"])
    criterion = nn.HuberLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=settings["lr"])
    scheduler = torch.optim.lr_scheduler.PolynomialLR(optimizer, batches.epochs * batches.steps, power=1.5)

    print(f"train {len(train)} molecules, valid {len(valid)}; "
          f"{batches.epochs} epochs of {batches.steps} steps; target spread {std:.3f}")
    for number in range(batches.epochs):
        began, losses = time.time(), []
        for graph in batches.epoch(number):
            prediction = model(graph)
            loss = criterion(prediction, (graph.target - mean) / std)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            scheduler.step()
            losses.append(loss.item())
        valid_mae = mean_absolute_error(model, valid, mean, std)
        print(f"epoch {number + 1:2d}  loss {sum(losses) / len(losses):.4f}  "
              f"valid MAE {valid_mae:.4f}  {time.time() - began:.1f}s")


if __name__ == "__main__":
    main(SETTINGS)
