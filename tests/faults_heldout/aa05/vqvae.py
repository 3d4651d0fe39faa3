import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits


class EMAQuantizer(nn.Module):
    """Vector quantiser whose codebook follows the encoder outputs by moving averages."""

    def __init__(self, n_codes, dim, decay=0.97, eps=1e-5):
        super().__init__()
        self.decay, self.eps = decay, eps
        codebook = torch.randn(n_codes, dim) * 0.1
        self.register_buffer("codebook", codebook)
        self.register_buffer("mass", torch.ones(n_codes))
        self.register_buffer("total", codebook.clone())

    def nearest(self, flat):
        d = flat.pow(2).sum(1, keepdim=True) - 2 * flat @ self.codebook.t() + self.codebook.pow(2).sum(1)
        return d.argmin(1)

    @torch.no_grad()
    def update(self, flat, idx):
        onehot = F.one_hot(idx, len(self.codebook)).type_as(flat)
        self.mass.mul_(self.decay).add_(onehot.sum(0), alpha=1 - self.decay)
        self.total.mul_(self.decay).add_(onehot.t() @ flat, alpha=1 - self.decay)
        n = self.mass.sum()
        mass = (self.mass + self.eps) / (n + len(self.mass) * self.eps) * n
        self.codebook.copy_(self.total / mass[:, None])

    @torch.no_grad()  # the codebook is not trained by gradients
    def forward(self, z):
        b, c, h, w = z.shape
        flat = z.permute(0, 2, 3, 1).reshape(-1, c)
        idx = self.nearest(flat)
        if self.training:
            self.update(flat, idx)
        codes = self.codebook[idx].view(b, h, w, c).permute(0, 3, 1, 2)
        return z + (codes - z).detach(), codes, idx.view(b, h, w)


class VQVAE(nn.Module):
    def __init__(self, width=32, dim=8, n_codes=32):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Conv2d(1, width, 4, 2, 1), nn.ReLU(),
            nn.Conv2d(width, width, 4, 2, 1), nn.ReLU(),
            nn.Conv2d(width, dim, 1),
        )
        self.quantizer = EMAQuantizer(n_codes, dim)
        self.decoder = nn.Sequential(
            nn.Conv2d(dim, width, 3, padding=1), nn.ReLU(),
            nn.ConvTranspose2d(width, width, 4, 2, 1), nn.ReLU(),
            nn.ConvTranspose2d(width, 1, 4, 2, 1),
        )

    def forward(self, x):
        z = self.encoder(x)
        q, codes, idx = self.quantizer(z)
        commit = F.mse_loss(z, codes)
        return self.decoder(q), commit, idx


def perplexity(idx, n_codes):
    p = torch.bincount(idx.flatten(), minlength=n_codes).float()
    p = p / p.sum()
    return torch.exp(-(p * (p + 1e-10).log()).sum()).item()


def main(epochs=24, batch=64, beta=0.25, lr=2e-3):
    torch.manual_seed(8)
    images = torch.from_numpy((load_digits().images / 16.0).astype(np.float32))[:, None]
    images = images[torch.randperm(len(images))]
    train, test = images[:1400], images[1400:]
    model = VQVAE()
    opt = torch.optim.Adam(model.parameters(), lr=lr)
    for epoch in range(1, epochs + 1):
        model.train()
        rec_sum = com_sum = 0.0
        for i in torch.randperm(len(train)).split(batch):
            x = train[i]
            recon, commit, _ = model(x)
            rec = F.mse_loss(recon, x)
            loss = rec + beta * commit
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            rec_sum += rec.item() * len(i)
            com_sum += commit.item() * len(i)
        if epoch % 4 == 0:
            model.eval()
            with torch.no_grad():
                recon, _, idx = model(test)
            print(
                f"epoch {epoch:3d} recon {rec_sum / len(train):.4f} commit {com_sum / len(train):.4f} "
                f"test recon {F.mse_loss(recon, test).item():.4f} codes in use {perplexity(idx, 32):.1f}"
            )
    print(f"pixel variance of the test images {test.var().item():.4f}")


if __name__ == "__main__":
    main()
