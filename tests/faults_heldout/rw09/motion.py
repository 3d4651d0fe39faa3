import json
import time

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, random_split

SETTINGS = json.loads("""{"epochs": 3, "batch": 16, "lr": 0.003, "channels": 8, "seed": 21}""")


class RasterSet(Dataset):
    """Event-camera rasters (row x time) with the direction of the moving edge."""

    classes = ("forward", "backward", "slow", "fast")

    def __init__(self, path):
        self.store = np.load(path)
        self.direction = self.store["direction"]

    def __len__(self):
        return len(self.direction)

    def __getitem__(self, index):
        raster = self.store["raster"][index].astype(np.float32)
        return torch.from_numpy(raster)[None], self.direction[index]


def conv(i, o, pool):
    return nn.Sequential(nn.Conv2d(i, o, 3, stride=3 - pool, padding=1), nn.BatchNorm2d(o), nn.ReLU(), nn.AvgPool2d(pool))


def make_net(c):
    return nn.Sequential(conv(1, c, 1), conv(c, 2 * c, 2), conv(2 * c, 2 * c, 2), nn.Flatten(), nn.Dropout(0.3),
                         nn.Linear(2 * c * 6 * 7, 4))


def accuracy(net, loader):
    net.eval()
    with torch.inference_mode():
        hits = [(net(x).argmax(1) == y).float() for x, y in loader]
    return torch.cat(hits).mean().item()


def main():
    torch.manual_seed(SETTINGS["seed"])
    full = RasterSet("rasters.npz")
    train, test = random_split(full, [0.8, 0.2])
    train_loader = DataLoader(train, SETTINGS["batch"], shuffle=True, drop_last=True)
    test_loader = DataLoader(test, 110)
    net = make_net(SETTINGS["channels"])
    optimizer = torch.optim.Adam(net.parameters(), SETTINGS["lr"])
    loss_fn = nn.CrossEntropyLoss()
    for epoch in range(SETTINGS["epochs"]):
        began = time.perf_counter()
        net.train()
        trace = []
        for x, y in train_loader:
            optimizer.zero_grad()
            loss = loss_fn(net(x), y)
            loss.backward()
            optimizer.step()
            trace.append(loss.detach())
        took = time.perf_counter() - began
        print(f"epoch {epoch}: loss {torch.stack(trace).mean():.3f}, test accuracy {accuracy(net, test_loader):.3f}, "
              f"{took / len(train_loader) * 1e3:.0f} ms per step")


if __name__ == "__main__":
    main()
