"""Denoising autoencoder for 8x8 digit scans, compared with PCA of the same rank."""
import torch
from sklearn.datasets import load_digits
from sklearn.decomposition import PCA
from torch import nn
from torch.utils.data import DataLoader


def corrupt(x):
    keep = (torch.rand_like(x) > 0.2).float()
    return (x * keep + 0.08 * torch.randn_like(x)).clamp(0, 1)


class DAE(nn.Module):
    def __init__(self, code=16):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(64, 128), nn.LeakyReLU(0.1), nn.Linear(128, code))
        self.dec = nn.Sequential(nn.Linear(code, 128), nn.LeakyReLU(0.1), nn.Linear(128, 64), nn.Sigmoid())

    def forward(self, x):
        return self.dec(self.enc(x))


def evaluate(model, clean, noisy):
    model.eval()
    with torch.no_grad():
        return nn.functional.mse_loss(model(noisy), clean).item()


def main():
    torch.manual_seed(21)
    scans = torch.tensor(load_digits().data / 16.0, dtype=torch.float32)
    scans = scans[torch.randperm(len(scans))]
    fit, held = scans[:1400], scans[1400:]
    fit_noisy, held_noisy = corrupt(fit), corrupt(held)
    pca = PCA(16).fit(fit_noisy.numpy())
    rec = torch.tensor(pca.inverse_transform(pca.transform(held_noisy.numpy())), dtype=torch.float32)
    print(f"pca {nn.functional.mse_loss(rec, held).item():.4f}  untouched {nn.functional.mse_loss(held_noisy, held).item():.4f}")
    model = DAE()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, factor=0.5, patience=4)
    loader = DataLoader(fit, batch_size=50, shuffle=True)
    for epoch in range(1, 61):
        model.train()
        total = 0.0
        for clean in loader:
            loss = nn.functional.mse_loss(model(corrupt(clean)), clean)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(clean)
        now = evaluate(model, held, held_noisy)
        plateau.step(now)
        if epoch % 6 == 0:
            print(f"{epoch:3d} training {total / len(fit):.4f} | clean target, fixed noise: fit {evaluate(model, fit, fit_noisy):.4f} held {now:.4f}")


if __name__ == "__main__":
    main()
