"""Reaction rate surface of an enzyme, fitted to plate reads.

Each condition was measured in eight wells.  Wells 1-6 fit the surface, wells 7-8 check it.
"""
import pandas as pd
import torch
from torch import nn

SEED = 11
EPOCHS = 60
BATCH = 64

torch.manual_seed(SEED)
reads = pd.read_csv("data/plate_reads.csv")


def features(df):
    s = torch.tensor(df["substrate_mM"].to_numpy(), dtype=torch.float32)
    ph = torch.tensor(df["pH"].to_numpy(), dtype=torch.float32)
    tc = torch.tensor(df["temp_c"].to_numpy(), dtype=torch.float32)
    return torch.stack([torch.log(s) / 2.0, (ph - 7.0) / 1.0, (tc - 33.5) / 6.5], dim=1)


fit, check = reads[reads["well"] <= 6], reads[reads["well"] > 6]
x_fit, x_check = features(fit), features(check)
y_fit = torch.tensor(fit["rate"].to_numpy(), dtype=torch.float32)
y_check = torch.tensor(check["rate"].to_numpy(), dtype=torch.float32)
scale = y_fit.std()

net = nn.Sequential(
    nn.Linear(3, 48), nn.SiLU(),
    nn.Linear(48, 48), nn.SiLU(),
    nn.Linear(48, 1),
)
opt = torch.optim.AdamW(net.parameters(), lr=4e-3, weight_decay=1e-4)
steps = EPOCHS * ((len(x_fit) + BATCH - 1) // BATCH)
sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=8e-3, total_steps=steps)


def rmse(x, y):
    net.eval()
    with torch.no_grad():
        return ((net(x).squeeze(1) * scale - y) ** 2).mean().sqrt().item()


for epoch in range(EPOCHS):
    net.train()
    perm = torch.randperm(len(x_fit))
    for idx in perm.split(BATCH):
        pred = net(x_fit[idx]).squeeze(1)
        loss = nn.functional.mse_loss(pred, y_fit[idx] / scale)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
    if epoch % 5 == 4:
        print(f"epoch {epoch + 1:3d}  loss {loss.item():.5f}  rmse wells 1-6 {rmse(x_fit, y_fit):.4f}  "
              f"wells 7-8 {rmse(x_check, y_check):.4f}")

spread = check.groupby(["pH", "temp_c", "substrate_mM"])["rate"].std().pow(2).mean() ** 0.5
r2 = 1 - rmse(x_check, y_check) ** 2 / y_check.var().item()
print(f"wells 7-8: rmse {rmse(x_check, y_check):.4f}, between wells {spread:.4f}, r2 {r2:.4f}")
