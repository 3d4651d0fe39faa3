import time

import torch
from torch import nn
from torch.utils.data import DataLoader

from parts import Parts, indices


def conv(i, o):
    return [nn.Conv2d(i, o, 3, padding=1, bias=False), nn.BatchNorm2d(o), nn.ReLU(inplace=True), nn.MaxPool2d(2)]


def build():
    return nn.Sequential(*conv(1, 12), *conv(12, 24), *conv(24, 32), nn.AdaptiveAvgPool2d(1), nn.Flatten(),
                         nn.Dropout(0.1), nn.Linear(32, 4))


def main(path="parts.npz", epochs=2, batch=32):
    torch.manual_seed(14)
    tr, te = indices(path)
    loader = DataLoader(Parts(path, tr), batch_size=batch, shuffle=True)
    held = DataLoader(Parts(path, te), batch_size=100)
    net = build()
    opt = torch.optim.AdamW(net.parameters(), lr=4e-3)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, 1e-2, total_steps=epochs * len(loader))
    start = time.perf_counter()
    for epoch in range(epochs):
        net.train()
        for k, (x, y) in enumerate(loader):
            loss = nn.functional.cross_entropy(net(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            if k % 10 == 0:
                print(f"epoch {epoch} step {k:3d} loss {loss.item():.4f} elapsed {time.perf_counter() - start:.1f}s")
        net.eval()
        ok = 0
        with torch.no_grad():
            for x, y in held:
                ok += (net(x).argmax(1) == y).sum().item()
        print(f"epoch {epoch} accuracy {ok / len(te):.3f} elapsed {time.perf_counter() - start:.1f}s")


if __name__ == "__main__":
    main()
