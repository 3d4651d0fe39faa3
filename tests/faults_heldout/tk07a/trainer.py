import torch
from torch import nn
from torch.utils.data import DataLoader

from monitor import FeatureMonitor


class Denoiser(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.encode = nn.Sequential(
            nn.Conv2d(1, width, 3, padding=1), nn.GELU(),
            nn.Conv2d(width, 2 * width, 4, stride=2, padding=1), nn.GELU(),
        )
        self.bottleneck = nn.Sequential(nn.Conv2d(2 * width, 2 * width, 3, padding=1), nn.GELU())
        self.decode = nn.Sequential(
            nn.ConvTranspose2d(2 * width, width, 4, stride=2, padding=1), nn.GELU(),
            nn.Conv2d(width, 1, 3, padding=1),
        )

    def forward(self, x):
        return x - self.decode(self.bottleneck(self.encode(x)))


class DenoiseTrainer:
    def __init__(self, train_set, valid_set, cfg):
        self.cfg = cfg
        opt = cfg["optim"]
        self.model = Denoiser(cfg["model"]["width"])
        self.train_loader = DataLoader(train_set, batch_size=opt["batch_size"], shuffle=True, drop_last=True)
        self.valid_loader = DataLoader(valid_set, batch_size=128)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=opt["lr"])
        self.scheduler = torch.optim.lr_scheduler.OneCycleLR(
            self.optimizer, max_lr=opt["lr"], epochs=opt["epochs"], steps_per_epoch=len(self.train_loader))
        self.monitor = FeatureMonitor(self.model.bottleneck, cfg["monitor"]["history"] or None)

    def train_epoch(self):
        self.model.train()
        total = 0.0
        for noisy, clean in self.train_loader:
            loss = nn.functional.mse_loss(self.model(noisy), clean)
            self.optimizer.zero_grad(set_to_none=True)
            loss.backward()
            self.optimizer.step()
            self.scheduler.step()
            total += loss.item()
        return total / len(self.train_loader)

    @torch.no_grad()
    def psnr(self):
        self.model.eval()
        err = sum(((self.model(n) - c) ** 2).mean((1, 2, 3)).sum().item() for n, c in self.valid_loader)
        mse = err / len(self.valid_loader.dataset)
        return mse, 10 * torch.log10(torch.tensor(4.0 / mse)).item()

    def fit(self):
        for epoch in range(1, self.cfg["optim"]["epochs"] + 1):
            train = self.train_epoch()
            mse, psnr = self.psnr()
            print(f"epoch {epoch:2d}  train {train:.5f}  valid {mse:.5f}  PSNR {psnr:.2f} dB  "
                  f"feature drift {self.monitor.drift():.3f}", flush=True)
