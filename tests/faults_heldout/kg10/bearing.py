import argparse
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


class ConvNet(nn.Module):
    def __init__(self, n_states):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv1d(1, 16, 9, padding=4), nn.GroupNorm(4, 16), nn.ReLU(), nn.MaxPool1d(2),
            nn.Conv1d(16, 32, 9, padding=4), nn.GroupNorm(4, 32), nn.ReLU(), nn.MaxPool1d(2),
            nn.Conv1d(32, 32, 5, padding=2), nn.ReLU(), nn.AdaptiveAvgPool1d(4), nn.Flatten(),
        )
        self.cls = nn.Linear(32 * 4, n_states)

    def forward(self, x):
        return self.cls(self.net(x.unsqueeze(1)))


class BearingTask:
    """Owns the model, the optimizer and the rules of a step."""

    def __init__(self, model, lr, micro, accumulate):
        self.model = model
        self.micro = micro
        self.accumulate = accumulate
        self.opt = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)
        self.ticks = 0

    def training_step(self, x, y):
        self.opt.zero_grad()
        loss = F.cross_entropy(self.model(x), y)
        (loss / self.accumulate).backward()
        return loss.item()

    def maybe_update(self):
        self.ticks += 1
        if self.ticks % self.accumulate == 0:
            self.opt.step()

    def run_epoch(self, x, y):
        self.model.train()
        losses = []
        order = torch.randperm(len(x))
        for idx in order.split(self.micro):
            losses.append(self.training_step(x[idx], y[idx]))
            self.maybe_update()
        return sum(losses) / len(losses)

    @torch.no_grad()
    def score(self, x, y):
        self.model.eval()
        out = self.model(x)
        return F.cross_entropy(out, y).item(), (out.argmax(1) == y).float().mean().item()


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=20)
    ap.add_argument("--micro", type=int, default=4)
    ap.add_argument("--accumulate", type=int, default=16)
    ap.add_argument("--lr", type=float, default=0.05)
    args = ap.parse_args()
    torch.manual_seed(19)
    data = np.load("bearing.npz")
    sig = torch.tensor(data["signal"].astype(np.float32))
    sig = sig / sig[:1280].std()
    lab = torch.tensor(data["state"].astype(np.int64))
    task = BearingTask(ConvNet(6), args.lr, args.micro, args.accumulate)
    for ep in range(args.epochs):
        tr = task.run_epoch(sig[:1280], lab[:1280])
        vl, va = task.score(sig[1280:], lab[1280:])
        print(f"{ep + 1:2d}/{args.epochs} train {tr:.3f} val {vl:.3f} acc {va:.3f}")
