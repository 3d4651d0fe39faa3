import csv
import pathlib

import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel, update_bn
from torch.utils.data import DataLoader, TensorDataset, random_split

torch.manual_seed(303)
torch.set_num_threads(1)

BATCH = 64
CYCLE = 5
CYCLES = 6
AVERAGE_FROM = 3

with open(pathlib.Path(__file__).parent / "turbine_scada.csv") as fh:
    rows = [[float(v) for v in r] for r in list(csv.reader(fh))[1:]]
table = torch.tensor(rows)
blade = nn.functional.one_hot(table[:, 6].long(), 5).float()
features = torch.cat([table[:, :6], blade], 1)
watts = table[:, 7:]
everything = TensorDataset(features, watts)
train, val, test = random_split(everything, [2600, 500, 500], generator=torch.Generator().manual_seed(1))
x_tr, p_tr = everything[train.indices]


class Affine(nn.Module):
    def __init__(self, scale, offset):
        super().__init__()
        self.register_buffer("scale", scale)
        self.register_buffer("offset", offset)

    def forward(self, x):
        return x * self.scale + self.offset


std, mean = x_tr.std(0).clamp(min=1e-3), x_tr.mean(0)
model = nn.Sequential(
    Affine(1 / std, -mean / std),
    nn.Linear(11, 64), nn.BatchNorm1d(64), nn.SiLU(),
    nn.Linear(64, 64), nn.BatchNorm1d(64), nn.SiLU(),
    nn.Linear(64, 1),
    Affine(p_tr.std(), p_tr.mean()),
)
averaged = AveragedModel(model)
loader = DataLoader(train, batch_size=BATCH, shuffle=True, drop_last=True)
optimizer = torch.optim.Adam(model.parameters(), lr=6e-3)
scheduler = torch.optim.lr_scheduler.CosineAnnealingWarmRestarts(optimizer, T_0=CYCLE * len(loader), eta_min=2e-4)
squared = nn.MSELoss(reduction="sum")


@torch.no_grad()
def rmse_kw(net, part):
    net.eval()
    x, p = everything[part.indices]
    return (net(x) - p).square().mean().sqrt().item() / 1000


x_va, p_va = everything[val.indices]
print(f"rated output {watts.max().item() / 1e6:.2f} MW, spread of val {p_va.std().item() / 1000:.1f} kW")
lin = torch.linalg.lstsq(torch.cat([x_tr, torch.ones(len(x_tr), 1)], 1), p_tr).solution
lin_rmse = (torch.cat([x_va, torch.ones(len(x_va), 1)], 1) @ lin - p_va).square().mean().sqrt().item() / 1000
print(f"least squares val rmse {lin_rmse:.1f} kW")

for c in range(CYCLES):
    for e in range(CYCLE):
        model.train()
        sse = 0.0
        for x, p in loader:
            loss = squared(model(x), p)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            scheduler.step()
            sse += loss.item()
        print(f"cycle {c} epoch {e}: loss per batch {sse / len(loader):.4e}  val rmse {rmse_kw(model, val):6.1f} kW")
    if c >= AVERAGE_FROM:
        averaged.update_parameters(model)

update_bn(loader, averaged)
print(f"last snapshot: val {rmse_kw(model, val):.1f} kW   test {rmse_kw(model, test):.1f} kW")
print(f"average of {int(averaged.n_averaged)} snapshots: val {rmse_kw(averaged, val):.1f} kW   test {rmse_kw(averaged, test):.1f} kW")
