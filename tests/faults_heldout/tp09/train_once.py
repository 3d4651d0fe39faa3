import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader

from stream import GASES, N_SENSORS, GasStream

parser = argparse.ArgumentParser()
parser.add_argument("--samples", type=int, default=96000)
parser.add_argument("--batch", type=int, default=64)
parser.add_argument("--lr", type=float, default=4e-3)
parser.add_argument("--seed", type=int, default=2)
opt_ = parser.parse_args()
torch.manual_seed(opt_.seed)

stream = DataLoader(GasStream(opt_.samples, opt_.seed), batch_size=opt_.batch)
check = list(DataLoader(GasStream(6000, opt_.seed + 9000), batch_size=1000))

model = nn.Sequential(
    nn.BatchNorm1d(N_SENSORS + 1, affine=False),
    nn.Linear(N_SENSORS + 1, 64), nn.ReLU(),
    nn.Linear(64, 64), nn.ReLU(),
    nn.Linear(64, len(GASES)),
)
loss_fn = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=opt_.lr)
steps = opt_.samples // opt_.batch
schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps, eta_min=1e-5)


@torch.no_grad()
def check_bench():
    model.eval()
    loss = sum(loss_fn(model(x), y).item() for x, y in check) / len(check)
    acc = sum((model(x).argmax(1) == y).float().mean().item() for x, y in check) / len(check)
    model.train()
    return loss, acc


smooth = None
for i, (x, y) in enumerate(stream, 1):
    loss = loss_fn(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    schedule.step()
    smooth = loss.item() if smooth is None else 0.98 * smooth + 0.02 * loss.item()
    if i % 150 == 0 or i in (10, 50):
        vl, acc = check_bench()
        print(f"{i * opt_.batch:6d} readings  loss {smooth:.4f}  check loss {vl:.4f} acc {acc:.4f}")
print(f"pass finished after {i} batches, acc per chance {1 / len(GASES):.2f}")
