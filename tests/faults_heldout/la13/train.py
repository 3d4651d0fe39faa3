import random
import sys
import tomllib

import torch
from torch import nn
from torch.utils.data import DataLoader

from stream import ShardStream, Shuffler, load_all


def make_model(channels, feature_dim):
    return nn.Sequential(
        nn.Conv2d(1, channels, 3, padding=1), nn.ReLU(),
        nn.Conv2d(channels, 2 * channels, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(2 * channels * 16, feature_dim), nn.ReLU(),
        nn.Linear(feature_dim, 10),
    )


def evaluate(model, images, digits):
    model.eval()
    with torch.no_grad():
        logits = model(images)
    loss = nn.functional.cross_entropy(logits, digits).item()
    return loss, (logits.argmax(1) == digits).float().mean().item()


def main(config):
    with open(config, "rb") as f:
        cfg = tomllib.load(f)
    data, tr = cfg["data"], cfg["train"]
    random.seed(tr["seed"])
    torch.manual_seed(tr["seed"])

    source = Shuffler(ShardStream(data["shards"]), data["shuffle_buffer"])
    loader = DataLoader(source, batch_size=data["batch_size"])
    held = load_all(data["heldout"])
    model = make_model(**cfg["model"])
    opt = torch.optim.SGD(model.parameters(), lr=tr["lr"], momentum=tr["momentum"], weight_decay=tr["weight_decay"])

    for epoch in range(tr["epochs"]):
        model.train()
        total = count = 0
        for image, digit in loader:
            loss = nn.functional.cross_entropy(model(image), digit)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(digit)
            count += len(digit)
        vl, va = evaluate(model, *held)
        print(f"epoch {epoch + 1:2d}  samples {count}  train loss {total / count:.4f}  held-out loss {vl:.4f}  accuracy {va:.3f}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "train.toml")
