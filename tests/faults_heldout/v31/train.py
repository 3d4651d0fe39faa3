import time

import torch
from torch import nn

from data import get_loaders
from models import vgg_tiny


def main(epochs=10, batch_size=64, peak=0.4):
    torch.manual_seed(0)
    train_loader, val_loader = get_loaders(batch_size)
    net = vgg_tiny(10)
    criterion = nn.CrossEntropyLoss(label_smoothing=0.15)
    opt = torch.optim.SGD(net.parameters(), lr=peak / 20, momentum=0.9, weight_decay=5e-4, nesterov=True)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=peak, total_steps=epochs * len(train_loader), pct_start=0.3, div_factor=20)
    for epoch in range(epochs):
        t0, total, n = time.perf_counter(), 0.0, 0
        net.train()
        for x, y in train_loader:
            loss = criterion(net(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            total, n = total + loss.item() * len(y), n + len(y)
        net.eval()
        with torch.no_grad():
            hits = sum((net(x).argmax(1) == y).sum().item() for x, y in val_loader)
        print(f"epoch {epoch} lr {sched.get_last_lr()[0]:.4f} loss {total / n:.4f} "
              f"val acc {hits / len(val_loader.dataset):.4f} ({time.perf_counter() - t0:.1f}s)")


if __name__ == "__main__":
    main()
