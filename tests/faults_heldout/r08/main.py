import logging

import torch
from torch import nn

from core.data import get_loaders
from core.trainer import Trainer

logging.basicConfig(level=logging.INFO, format="%(name)s: %(message)s")


class Net(nn.Module):
    def __init__(self, n_in=30, width=32):
        super().__init__()
        self.seq = nn.Sequential(nn.Linear(n_in, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(),
                                 nn.Linear(width, 1))

    def forward(self, x):
        return self.seq(x).squeeze(-1)


if __name__ == "__main__":
    torch.manual_seed(2)
    train_loader, val_loader = get_loaders(32)
    net = Net()
    Trainer(net, torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-3), nn.BCEWithLogitsLoss(),
            train_loader, val_loader, max_epochs=31).fit()
