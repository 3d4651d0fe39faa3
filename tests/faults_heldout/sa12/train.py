"""Six-hour-ahead load forecasting with a dilated causal convolution network."""
import argparse
import math

import torch
from torch import nn
import torch.nn.functional as F

from series import hourly_load, windows


class CausalBlock(nn.Module):
    def __init__(self, channels, dilation):
        super().__init__()
        self.pad = 2 * dilation
        self.conv = nn.Conv1d(channels, channels, 3, dilation=dilation)
        self.mix = nn.Conv1d(channels, channels, 1)

    def forward(self, x):
        h = torch.tanh(self.conv(F.pad(x, (self.pad, 0))))
        return x + self.mix(h)


class LoadTCN(nn.Module):
    def __init__(self, channels, horizon, dilations=(1, 2, 4, 8, 16)):
        super().__init__()
        self.stem = nn.Conv1d(1, channels, 1)
        self.blocks = nn.Sequential(*[CausalBlock(channels, d) for d in dilations])
        self.head = nn.Linear(channels, horizon)

    def forward(self, history):
        h = self.blocks(self.stem(history.unsqueeze(1)))
        return self.head(h[:, :, -1])


class Trainer:
    def __init__(self, model, args):
        self.model = model
        self.args = args
        self.step_count = 0

    def lr_at(self, step):
        """Linear warm-up followed by cosine decay."""
        warm = self.args.warmup
        if step < warm:
            return self.args.lr * (step + 1) / warm
        progress = (step - warm) / max(1, self.args.steps - warm)
        return self.args.lr * 0.5 * (1 + math.cos(math.pi * progress))

    def configure_optimizer(self):
        return torch.optim.SGD(self.model.parameters(), lr=self.lr_at(self.step_count),
                               momentum=self.args.momentum, weight_decay=1e-5)

    def training_step(self, x, y):
        optimizer = self.configure_optimizer()
        self.model.train()
        loss = F.mse_loss(self.model(x), y)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 5.0)
        optimizer.step()
        self.step_count += 1
        return loss.item()

    @torch.no_grad()
    def mae(self, x, y, scale):
        self.model.eval()
        return scale * (self.model(x) - y).abs().mean().item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=720)
    ap.add_argument("--batch", type=int, default=64)
    ap.add_argument("--lr", type=float, default=0.004)
    ap.add_argument("--momentum", type=float, default=0.95)
    ap.add_argument("--warmup", type=int, default=50)
    ap.add_argument("--history", type=int, default=48)
    ap.add_argument("--horizon", type=int, default=6)
    ap.add_argument("--seed", type=int, default=13)
    args = ap.parse_args()

    torch.manual_seed(args.seed)
    load = hourly_load(240, args.seed)
    cut = int(0.8 * len(load))
    mean, std = load[:cut].mean(), load[:cut].std()
    x_tr, y_tr = windows(load[:cut], args.history, args.horizon, mean, std)
    x_va, y_va = windows(load[cut:], args.history, args.horizon, mean, std)
    seasonal = std * (x_va[:, -24:-24 + args.horizon] - y_va).abs().mean().item()
    print(f"{len(x_tr)} training windows; same-hour-yesterday MAE {seasonal:.3f} MW")

    trainer = Trainer(LoadTCN(24, args.horizon), args)
    recent = []
    for step in range(args.steps):
        rows = torch.randint(len(x_tr), (args.batch,))
        recent.append(trainer.training_step(x_tr[rows], y_tr[rows]))
        if (step + 1) % 90 == 0:
            mae = trainer.mae(x_va, y_va, std)
            print(f"step {step + 1}: lr {trainer.lr_at(step):.5f}  mse {sum(recent) / len(recent):.4f}  val MAE {mae:.3f} MW")
            recent = []


if __name__ == "__main__":
    main()
