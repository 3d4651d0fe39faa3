import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset, random_split

from model import StationModel

torch.manual_seed(17)
z = np.load("ozone.npz")
met, station = torch.tensor(z["met"]), torch.tensor(z["station"])
ozone = torch.tensor(z["ozone"])
ozone = (ozone - ozone.mean()) / ozone.std()
train, test = random_split(TensorDataset(met, station, ozone), [4000, len(ozone) - 4000])
model = StationModel(met.shape[1], [str(s) for s in station.unique().tolist()])
print("weights:", sum(p.numel() for p in model.parameters()))
opt = torch.optim.Adam(model.parameters(), lr=4e-3)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 14)
for epoch in range(14):
    model.train()
    total = 0.0
    for x, s, y in DataLoader(train, batch_size=64, shuffle=True):
        loss = (model(x, s) - y).square().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item() * len(y)
    sched.step()
    model.eval()
    with torch.no_grad():
        err = torch.cat([(model(x, s) - y).square() for x, s, y in DataLoader(test, batch_size=400)])
    print(f"epoch {epoch} train {total / len(train):.4f} test {err.mean():.4f}")
