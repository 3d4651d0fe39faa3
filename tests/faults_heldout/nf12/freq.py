import torch
from torch import nn
from torch.utils.data import DataLoader

from stream import ClaimStream


class ClaimFrequency(nn.Module):
    """Negative binomial regression with exposure offset and a shared dispersion."""

    def __init__(self, d, hidden=16):
        super().__init__()
        self.linear = nn.Linear(d, 1)
        self.bump = nn.Sequential(nn.Linear(d, hidden), nn.Tanh(), nn.Linear(hidden, 1, bias=False))
        self.log_shape = nn.Parameter(torch.zeros(()))

    def forward(self, x, offset):
        return (self.linear(x) + self.bump(x)).squeeze(-1) + offset

    def nll(self, log_mu, y):
        r = self.log_shape.exp()
        log_r_mu = torch.logaddexp(self.log_shape, log_mu)
        ll = (
            torch.lgamma(y + r) - torch.lgamma(r) - torch.lgamma(y + 1)
            + r * (self.log_shape - log_r_mu) + y * (log_mu - log_r_mu)
        )
        return -ll


class Callback:
    def on_epoch_end(self, run, logs):
        pass


class Printer(Callback):
    def on_epoch_end(self, run, logs):
        print("  ".join(f"{k} {v:.4f}" if isinstance(v, float) else f"{k} {v}" for k, v in logs.items()))


class LowerOnPlateau(Callback):
    def __init__(self, opt, factor=0.3, patience=1):
        self.s = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, "min", factor=factor, patience=patience, threshold=1e-3)

    def on_epoch_end(self, run, logs):
        self.s.step(logs["holdout_nll"])


class Run:
    def __init__(self, model, opt, callbacks):
        self.model, self.opt, self.callbacks = model, opt, callbacks

    def fit(self, train, holdout, epochs):
        for ep in range(epochs):
            self.model.train()
            tot = n = 0.0
            for x, off, y in train:
                loss = self.model.nll(self.model(x, off), y).mean()
                self.opt.zero_grad()
                loss.backward()
                self.opt.step()
                tot, n = tot + loss.item() * len(y), n + len(y)
            logs = {"epoch": ep, "nll": tot / n, **self.check(holdout), "shape": self.model.log_shape.exp().item()}
            for cb in self.callbacks:
                cb.on_epoch_end(self, logs)

    @torch.no_grad()
    def check(self, loader):
        self.model.eval()
        nll = n = pred = seen = 0.0
        for x, off, y in loader:
            lm = self.model(x, off)
            nll += self.model.nll(lm, y).sum().item()
            pred, seen, n = pred + lm.exp().sum().item(), seen + y.sum().item(), n + len(y)
        return {"holdout_nll": nll / n, "predicted/observed": pred / seen}


if __name__ == "__main__":
    torch.manual_seed(33)
    train = DataLoader(ClaimStream("shard*.csv", buffer=1500, seed=33), batch_size=64)
    holdout = DataLoader(ClaimStream("holdout.csv"), batch_size=512)
    model = ClaimFrequency(d=11)
    opt = torch.optim.Adam(model.parameters(), lr=8e-3)
    Run(model, opt, [Printer(), LowerOnPlateau(opt)]).fit(train, holdout, epochs=6)
