"""Forecast tomorrow's temperature from the last week with a GRU."""
import json, math, pathlib
import torch
from torch import nn, Tensor

CFG = json.loads((pathlib.Path(__file__).parent / "cfg.json").read_text())


def series(n: int) -> Tensor:
    t = torch.arange(n, dtype=torch.float32)
    return torch.sin(t / 9.0) + 0.3 * torch.sin(t / 2.3) + 0.05 * torch.randn(n)


class Forecaster(nn.Module):
    def __init__(self, hidden: int):
        super().__init__()
        self.rnn = nn.GRU(1, hidden, batch_first=True)
        self.out = nn.Linear(hidden, 1)

    def forward(self, x: Tensor) -> Tensor:
        h, _ = self.rnn(x.unsqueeze(-1))
        return self.out(h[:, -1]).squeeze(-1)


def main() -> None:
    torch.manual_seed(11)
    s = series(1800)
    wins = s.unfold(0, 8, 1)
    X, Y = wins[:, :7], wins[:, 7]
    Xtr, Ytr, Xva, Yva = X[:1400], Y[:1400], X[1400:], Y[1400:]
    net = Forecaster(CFG["hidden"])
    opt = torch.optim.RMSprop(net.parameters(), lr=CFG["rate"])
    for ep in range(12):
        order = torch.randperm(len(Xtr))
        for idx in order.split(50):
            opt.zero_grad()
            err = nn.functional.smooth_l1_loss(net(Xtr[idx]), Ytr[idx])
            err.backward()
            opt.step()
        net.eval()
        with torch.no_grad():
            rmse = math.sqrt(float(((net(Xva) - Yva) ** 2).mean()))
        net.train()
        print(f"[{ep:02d}] rmse={rmse:.4f}", flush=True)


if __name__ == "__main__":
    main()
