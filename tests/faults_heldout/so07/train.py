import torch
import torch.nn as nn
import torch.nn.functional as F

from beats import load

EPOCHS = 25
BATCH = 64
CODE = 5


class BeatCoder(nn.Module):
    """A short code per beat that serves both the viewer (reconstruction) and triage (kind of beat)."""

    def __init__(self, length, kinds):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(length, 64), nn.ReLU(), nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, CODE))
        self.decoder = nn.Sequential(nn.Linear(CODE, 32), nn.ReLU(), nn.Linear(32, 64), nn.ReLU(), nn.Linear(64, length))
        self.triage = nn.Linear(CODE, kinds)

    def forward(self, x):
        code = self.encoder(x)
        return self.decoder(code), self.triage(code)


def losses(model, x, y):
    rebuilt, logits = model(x)
    recon = F.mse_loss(rebuilt, x, reduction="sum")
    kind = F.cross_entropy(logits, y)
    return recon, kind, logits


def main():
    torch.manual_seed(8)
    (xt, yt), (xv, yv), names = load()
    model = BeatCoder(xt.size(1), len(names))
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, EPOCHS, eta_min=1e-4)
    for epoch in range(EPOCHS):
        model.train()
        sums = torch.zeros(2)
        nb = 0
        for idx in torch.randperm(len(xt)).split(BATCH):
            recon, kind, _ = losses(model, xt[idx], yt[idx])
            loss = recon + kind
            opt.zero_grad()
            loss.backward()
            opt.step()
            sums += torch.tensor([recon.item(), kind.item()])
            nb += 1
        sched.step()
        model.eval()
        with torch.no_grad():
            r, k, logits = losses(model, xv, yv)
            acc = (logits.argmax(1) == yv).float().mean()
        print(f"{epoch + 1:3d}  recon {sums[0] / nb:9.3f}  kind {sums[1] / nb:.4f}   held-out kind {k:.4f}  acc {acc:.3f}")
    with torch.no_grad():
        per = [(logits.argmax(1) == yv)[yv == c].float().mean().item() for c in range(len(names))]
    print("  ".join(f"{n} {p:.2f}" for n, p in zip(names, per)))


main()
