"""Quantisation-aware training: float pre-training, calibration, then fine-tuning with fake quantisation."""
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split


class FakeQuant(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, lo, hi):
        q = torch.round(x / scale)
        ctx.save_for_backward((q >= lo) & (q <= hi))
        return q.clamp(lo, hi) * scale

    @staticmethod
    def backward(ctx, g):
        (inside,) = ctx.saved_tensors
        return g * inside, None, None, None


class QLinear(nn.Linear):
    def __init__(self, n_in, n_out, w_bits, a_bits):
        super().__init__(n_in, n_out)
        self.w_max = 2 ** (w_bits - 1) - 1
        self.a_max = 2 ** a_bits - 1
        self.register_buffer("act_peak", torch.tensor(0.0))
        self.observe, self.quantise = False, False

    def forward(self, x):
        if self.observe:
            peak = torch.quantile(x.detach(), 0.999)
            self.act_peak.copy_(peak if self.act_peak == 0 else 0.95 * self.act_peak + 0.05 * peak)
        if not self.quantise:
            return super().forward(x)
        x = FakeQuant.apply(x, self.act_peak / self.a_max, 0, self.a_max)
        w_scale = self.weight.detach().abs().amax() / self.w_max
        return F.linear(x, FakeQuant.apply(self.weight, w_scale, -self.w_max, self.w_max), self.bias)


def build(w_bits, a_bits):
    return nn.Sequential(QLinear(64, 48, w_bits, a_bits), nn.ReLU(),
                         QLinear(48, 32, w_bits, a_bits), nn.ReLU(),
                         QLinear(32, 10, w_bits, a_bits))


def switch(model, **flags):
    for m in model:
        if isinstance(m, QLinear):
            for k, v in flags.items():
                setattr(m, k, v)


def accuracy(model, x, y):
    model.eval()
    with torch.no_grad():
        return (model(x).argmax(1) == y).float().mean().item()


def fit(model, data, epochs, lr, tag):
    x_tr, y_tr, x_te, y_te = data
    opt = torch.optim.Adam(model.parameters(), lr=lr)
    sched = torch.optim.lr_scheduler.LinearLR(opt, 1.0, 0.05, epochs)
    for epoch in range(1, epochs + 1):
        model.train()
        total = 0.0
        for idx in torch.randperm(len(x_tr)).split(32):
            loss = F.cross_entropy(model(x_tr[idx]), y_tr[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(idx)
        sched.step()
        print(f"{tag} {epoch:2d}  loss {total / len(x_tr):.4f}  test acc {accuracy(model, x_te, y_te):.4f}")


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--w-bits", type=int, default=3)
    ap.add_argument("--a-bits", type=int, default=4)
    ap.add_argument("--float-epochs", type=int, default=18)
    ap.add_argument("--qat-epochs", type=int, default=12)
    args = ap.parse_args()
    torch.manual_seed(11)

    d = load_digits()
    x = torch.tensor(d.data / 16.0, dtype=torch.float32)
    y = torch.tensor(d.target)
    tr, te = train_test_split(range(len(y)), test_size=0.25, stratify=d.target, random_state=1)
    data = x[tr], y[tr], x[te], y[te]

    model = build(args.w_bits, args.a_bits)
    fit(model, data, args.float_epochs, 5e-3, "float")
    float_acc = accuracy(model, *data[2:])

    switch(model, observe=True)
    with torch.no_grad():
        for idx in torch.randperm(len(tr)).split(64):
            model(data[0][idx])
    switch(model, observe=False, quantise=True)
    ptq_acc = accuracy(model, *data[2:])
    print(f"post-training quantisation ({args.w_bits}w/{args.a_bits}a): test acc {ptq_acc:.4f}")

    fit(model, data, args.qat_epochs, 1e-3, "qat  ")
    print(f"float {float_acc:.4f}   ptq {ptq_acc:.4f}   qat {accuracy(model, *data[2:]):.4f}")


if __name__ == "__main__":
    main()
