# %% NIR spectra -> moisture, protein, fat (percent)
import pathlib

import numpy as np
import torch
from torch import nn

torch.manual_seed(14)
folder = pathlib.Path(__file__).parent
train = np.load(folder / "calibration_set.npz")
check = np.load(folder / "validation_set.npz")
names = ["moisture", "protein", "fat"]

# %% standard normal variate per spectrum, then per-channel scaling
def snv(s):
    s = s.astype("float32")
    return (s - s.mean(1, keepdims=True)) / s.std(1, keepdims=True)

xt, xv = snv(train["spectra"]), snv(check["spectra"])
centre, spread = xt.mean(0), xt.std(0)
xt, xv = torch.tensor((xt - centre) / spread), torch.tensor((xv - centre) / spread)
lab_mean, lab_std = train["lab"].mean(0), train["lab"].std(0)
yt = torch.tensor((train["lab"] - lab_mean) / lab_std)
yv = torch.tensor((check["lab"] - lab_mean) / lab_std)
print("spectra", tuple(xt.shape), "validation", tuple(xv.shape))

# %%
class SpectrumNet(nn.Module):
    def __init__(self, channels=12):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv1d(1, channels, 7, padding=3), nn.ELU(), nn.AvgPool1d(2),
            nn.Conv1d(channels, channels, 5, padding=2), nn.ELU(), nn.AvgPool1d(2),
        )
        self.fc = nn.Sequential(nn.Flatten(), nn.Dropout(0.1), nn.LazyLinear(32), nn.ELU(), nn.Linear(32, 3))

    def forward(self, s):
        return self.fc(self.conv(s[:, None]))

net = SpectrumNet()
net(xt[:2])
optim = torch.optim.AdamW(net.parameters(), lr=1e-3, weight_decay=0.01)
batch, epochs = 32, 25
schedule = torch.optim.lr_scheduler.OneCycleLR(optim, max_lr=3e-3, epochs=epochs, steps_per_epoch=len(xt) // batch)

# %%
for epoch in range(epochs):
    net.train()
    order = torch.randperm(len(xt))
    losses = []
    for k in range(len(xt) // batch):
        rows = order[k * batch:(k + 1) * batch]
        loss = nn.functional.mse_loss(net(xt[rows]), yt[rows])
        optim.zero_grad()
        loss.backward()
        optim.step()
        schedule.step()
        losses.append(loss.item())
    net.eval()
    with torch.no_grad():
        rmse = ((net(xv) - yv) ** 2).mean(0).sqrt().numpy()
    print(f"{epoch:3d}  mse {np.mean(losses):.4f}   RMSEP " + "  ".join(f"{n} {v * s:.2f}" for n, v, s in zip(names, rmse, lab_std)))
