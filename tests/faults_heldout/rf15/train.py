import torch
from torch import nn

from plant import Standard, assemble


class SoftViscosity(nn.Module):
    def __init__(self, d, width=64):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(d, width), nn.Tanh(), nn.Dropout(0.1), nn.Linear(width, width), nn.Tanh(),
                               nn.Linear(width, 1))

    def forward(self, x):
        return self.f(x)[:, 0]


def main(epochs=40, batch=64):
    torch.manual_seed(8)
    x, y = assemble("probes.csv", "lab.csv")
    perm = torch.randperm(len(x))
    tr, va = perm[: int(0.8 * len(x))], perm[int(0.8 * len(x)):]
    fx, fy = Standard(x[tr]), Standard(y[tr])
    x, t = fx(x), fy(y)
    net = SoftViscosity(x.shape[1])
    opt = torch.optim.AdamW(net.parameters(), lr=3e-3, weight_decay=1e-2)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs)
    best = (float("inf"), None)
    for e in range(epochs):
        net.train()
        s = 0.0
        for b in tr[torch.randperm(len(tr))].split(batch):
            loss = nn.functional.mse_loss(net(x[b]), t[b])
            opt.zero_grad()
            loss.backward()
            opt.step()
            s += loss.item() * len(b)
        sched.step()
        net.eval()
        with torch.no_grad():
            v = nn.functional.mse_loss(net(x[va]), t[va]).item()
            mae = (fy.back(net(x[va])) - y[va]).abs().mean().item()
        best = min(best, (v, e))
        if e % 4 == 3:
            print(f"epoch {e + 1} train {s / len(tr):.4f} val {v:.4f} mae {mae:.3f}")
    print(f"lowest val {best[0]:.4f} at epoch {best[1] + 1}")


if __name__ == "__main__":
    main()
