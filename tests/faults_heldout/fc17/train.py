import tomllib
from pathlib import Path

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split

from layers import build_classifier
from terrain import orbit_samples


def accuracy(net, data):
    net.eval()
    with torch.no_grad():
        x, y = next(iter(DataLoader(data, batch_size=len(data))))
        return (net(x).argmax(1) == y).float().mean().item()


def main(config_path):
    cfg = tomllib.loads(config_path.read_text())
    torch.manual_seed(cfg["data"]["seed"])
    x, y = orbit_samples(cfg["data"]["samples"], cfg["data"]["noise"], cfg["data"]["seed"])
    train_set, test_set = random_split(TensorDataset(x, y), [0.8, 0.2])
    loader = DataLoader(train_set, batch_size=cfg["train"]["batch_size"], shuffle=True)

    net = build_classifier(x.shape[1], 3, **cfg["network"])
    optim = torch.optim.RAdam(
        net.parameters(), lr=cfg["train"]["lr"], weight_decay=cfg["train"]["weight_decay"]
    )
    criterion = nn.CrossEntropyLoss(label_smoothing=0.02)
    counts = torch.bincount(y).tolist()
    print("class counts", counts)

    for epoch in range(1, cfg["train"]["epochs"] + 1):
        net.train()
        losses = []
        for xb, yb in loader:
            optim.zero_grad()
            loss = criterion(net(xb), yb)
            loss.backward()
            optim.step()
            losses.append(loss.detach())
        if epoch % 5 == 0 or epoch == 1:
            mean = torch.stack(losses).mean().item()
            print(f"epoch {epoch:2d} loss {mean:.4f} train acc {accuracy(net, train_set):.3f} test acc {accuracy(net, test_set):.3f}")


if __name__ == "__main__":
    main(Path(__file__).with_name("model.toml"))
