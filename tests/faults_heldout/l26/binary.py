"""Digit classifier with one-bit weights and one-bit activations, for an FPGA: straight-through gradients on latent weights."""
from sklearn.datasets import load_digits
from sklearn.model_selection import StratifiedShuffleSplit
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Sign(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.where(x >= 0, 1.0, -1.0)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * (x.abs() <= 1)


class BinaryLinear(nn.Linear):
    def __init__(self, a, b):
        super().__init__(a, b, bias=False)
        nn.init.uniform_(self.weight, -0.5, 0.5)

    def forward(self, x):
        return nn.functional.linear(x, Sign.apply(self.weight)) / self.in_features ** 0.5


class BinaryNet(nn.Module):
    def __init__(self, width=256):
        super().__init__()
        self.l1, self.n1 = BinaryLinear(64, width), nn.BatchNorm1d(width)
        self.l2, self.n2 = BinaryLinear(width, width), nn.BatchNorm1d(width)
        self.l3, self.n3 = BinaryLinear(width, 10), nn.BatchNorm1d(10)

    def forward(self, x):
        x = Sign.apply(self.n1(self.l1(x)))
        x = Sign.apply(self.n2(self.l2(x)))
        return self.n3(self.l3(x))

    @torch.no_grad()
    def clip_latent(self):
        for layer in (self.l1, self.l2, self.l3):
            layer.weight.clamp_(-1, 1)


def accuracy(net, loader, loss_fn):
    net.eval()
    hit = n = 0
    loss = 0.0
    with torch.no_grad():
        for x, y in loader:
            out = net(x)
            loss += loss_fn(out, y).item() * len(y)
            hit += (out.argmax(1) == y).sum().item()
            n += len(y)
    return loss / n, hit / n


def main():
    torch.manual_seed(26)
    data = load_digits()
    x = torch.tensor(data.data / 8.0 - 1.0, dtype=torch.float32)
    y = torch.tensor(data.target)
    tr, te = next(StratifiedShuffleSplit(1, test_size=0.25, random_state=6).split(data.data, data.target))
    train = DataLoader(TensorDataset(x[tr], y[tr]), batch_size=64, shuffle=True, drop_last=True)
    test = DataLoader(TensorDataset(x[te], y[te]), batch_size=450)
    net = BinaryNet()
    loss_fn = nn.CrossEntropyLoss()
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    epochs = 25
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs * len(train))
    for epoch in range(1, epochs + 1):
        net.train()
        tot = 0.0
        for xb, yb in train:
            opt.zero_grad()
            loss = loss_fn(net(xb), yb)
            loss.backward()
            opt.step()
            net.clip_latent()
            sched.step()
            tot += loss.item()
        vl, va = accuracy(net, test, loss_fn)
        print(f"{epoch:02d}  loss {tot / len(train):.4f}  test loss {vl:.4f}  test acc {va:.4f}")


if __name__ == "__main__":
    main()
