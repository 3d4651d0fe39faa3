"""Denoising autoencoder on digit images, trained on corrupted pixels.

Every step a fixed probe set is reconstructed as well, to have a smooth curve of the clean reconstruction error."""
import csv
import sys

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split


class DAE(nn.Module):
    def __init__(self, n=64, width=512, code=24):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(n, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU(), nn.Linear(width, code))
        self.dec = nn.Sequential(nn.Linear(code, width), nn.SiLU(), nn.Linear(width, n))

    def forward(self, x):
        return self.dec(self.enc(x))


def corrupt(x, p=0.25):
    keep = (torch.rand_like(x) > p).float()
    return x * keep + 0.05 * torch.randn_like(x)


def fit(net, loader, probe, epochs, writer):
    opt = torch.optim.AdamW(net.parameters(), lr=1e-3, weight_decay=1e-4)
    criterion = nn.MSELoss()
    curve, smooth, step = [], None, 0
    for epoch in range(epochs):
        for (clean,) in loader:
            out = net(corrupt(clean))
            loss = criterion(out, clean)
            opt.zero_grad()
            loss.backward()
            opt.step()

            probe_loss = criterion(net(probe), probe)
            smooth = probe_loss if smooth is None else 0.95 * smooth + 0.05 * probe_loss
            step += 1
            if step % 20 == 0:
                curve.append(smooth.item())
                writer.writerow([epoch, step, f"{loss.item():.5f}", f"{curve[-1]:.5f}"])
    return curve


def main():
    torch.manual_seed(9)
    x = torch.tensor(load_digits().data, dtype=torch.float32) / 16.0
    train, test = random_split(TensorDataset(x), [1400, len(x) - 1400])
    probe = x[test.indices]
    loader = DataLoader(train, batch_size=64, shuffle=True, drop_last=True)
    net = DAE()
    writer = csv.writer(sys.stdout)
    writer.writerow(["epoch", "step", "train_mse", "probe_mse"])
    curve = fit(net, loader, probe, epochs=13, writer=writer)
    print(f"# probe error went from {curve[0]:.4f} to {curve[-1]:.4f}")


if __name__ == "__main__":
    main()
