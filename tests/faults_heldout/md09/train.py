"""Denoising autoencoder on healthy pump readings; reconstruction error flags unusual states."""
import numpy as np
import torch
from sklearn.metrics import average_precision_score, roc_auc_score
from torch import nn, optim

torch.manual_seed(31)
d = np.load("pump_sensors.npz")
normal = d["normal"]
cut = int(0.85 * len(normal))
mean, std = normal[:cut].mean(0), normal[:cut].std(0)
prep = lambda a: torch.tensor((a - mean) / std, dtype=torch.float32)
train, val, check = prep(normal[:cut]), prep(normal[cut:]), prep(d["check"])


class AE(nn.Module):
    def __init__(self, n=12, h=64, z=4):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(n, h), nn.ELU(), nn.Linear(h, h), nn.ELU(), nn.Linear(h, z))
        self.dec = nn.Sequential(nn.Linear(z, h), nn.ELU(), nn.Linear(h, h), nn.ELU(), nn.Linear(h, n))

    def forward(self, x):
        return self.dec(self.enc(x))


ae = AE()
epochs, bs = 40, 64
opt = optim.Adam(ae.parameters(), lr=3e-3)
sch = optim.lr_scheduler.CosineAnnealingLR(opt, T_max=epochs, eta_min=3e-5)
for ep in range(epochs):
    ae.train()
    losses = []
    for idx in torch.randperm(len(train)).split(bs):
        x = train[idx]
        loss = nn.functional.mse_loss(ae(x + 0.05 * torch.randn_like(x)), x)
        opt.zero_grad()
        loss.backward()
        opt.step()
        losses.append(loss.item())
    sch.step()
    if (ep + 1) % 5 == 0:
        ae.eval()
        with torch.no_grad():
            v = nn.functional.mse_loss(ae(val), val).item()
        print(f"epoch {ep + 1} recon train {np.mean(losses):.4f} val {v:.4f}")

ae.eval()
with torch.no_grad():
    err = (ae(check) - check).pow(2).mean(1).numpy()
    limit = np.quantile((ae(val) - val).pow(2).mean(1).numpy(), 0.98)
print(f"AUROC {roc_auc_score(d['flag'], err):.3f} AP {average_precision_score(d['flag'], err):.3f} "
      f"alarm rate: unusual {np.mean(err[d['flag'] == 1] > limit):.2f}, normal {np.mean(err[d['flag'] == 0] > limit):.2f}")
