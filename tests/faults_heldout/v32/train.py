"""SimCLR-style pre-training on digits, judged by a linear probe on the frozen features."""
import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression
from torch import nn

TEMPERATURE, BATCH, EPOCHS = 0.3, 128, 25


def augment(x):
    """Random one-pixel shift, gain and noise."""
    n = len(x)
    padded = F.pad(x, (1, 1, 1, 1))
    dy, dx = torch.randint(0, 3, (2, n))
    rows = (dy[:, None] + torch.arange(8))[:, None, :, None]
    cols = (dx[:, None] + torch.arange(8))[:, None, None, :]
    out = padded[torch.arange(n)[:, None, None, None], 0, rows, cols]
    gain = 0.8 + 0.4 * torch.rand(n, 1, 1, 1)
    return gain * out + 0.1 * torch.randn_like(out)


class Encoder(nn.Module):
    def __init__(self, dim=64, proj=32):
        super().__init__()
        self.backbone = nn.Sequential(nn.Conv2d(1, 24, 3, padding=1), nn.ReLU(), nn.Conv2d(24, 32, 3, padding=1), nn.ReLU(),
                                      nn.MaxPool2d(2), nn.Flatten(), nn.Linear(32 * 16, dim))
        self.projector = nn.Sequential(nn.ReLU(), nn.Linear(dim, dim), nn.ReLU(), nn.Linear(dim, proj))

    def forward(self, x):
        return F.normalize(self.projector(self.backbone(x)), dim=1)


def nt_xent(za, zb):
    z = torch.cat([za, zb])
    sim = z @ z.T / TEMPERATURE
    sim = sim.masked_fill(torch.eye(len(z), dtype=torch.bool), float("-inf"))
    n = len(za)
    partner = torch.cat([torch.arange(n, 2 * n), torch.arange(n)])
    return F.cross_entropy(sim, partner)


def probe(net, x, y, xv, yv):
    net.eval()
    with torch.no_grad():
        f, fv = net.backbone(x), net.backbone(xv)
    mu, sd = f.mean(0), f.std(0) + 1e-6
    clf = LogisticRegression(max_iter=500).fit(((f - mu) / sd).numpy(), y.numpy())
    return clf.score(((fv - mu) / sd).numpy(), yv.numpy())


def main():
    torch.manual_seed(2)
    d = load_digits()
    x = torch.tensor(d.images / 16.0, dtype=torch.float32).unsqueeze(1)
    y = torch.tensor(d.target)
    x = augment(x)          # the scanner does not centre the digits and is noisy
    order = torch.randperm(len(y))
    tr, va = order[:1400], order[1400:]
    labelled = tr[:200]
    net = Encoder()
    print(f"probe before training {probe(net, x[labelled], y[labelled], x[va], y[va]):.4f}")
    opt = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=1e-4)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, EPOCHS)
    for epoch in range(EPOCHS):
        net.train()
        losses = []
        for idx in tr[torch.randperm(len(tr))].split(BATCH):
            if len(idx) < BATCH:
                continue
            loss = nt_xent(net(augment(x[idx])), net(augment(x[idx])))
            opt.zero_grad()
            loss.backward()
            opt.step()
            losses.append(loss.item())
        sched.step()
        if epoch % 5 == 4:
            print(f"epoch {epoch + 1} nt-xent {sum(losses) / len(losses):.4f} probe {probe(net, x[labelled], y[labelled], x[va], y[va]):.4f}")


if __name__ == "__main__":
    main()
