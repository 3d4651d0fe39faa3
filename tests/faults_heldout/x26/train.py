"""Digits with a residual MLP; the last third of the run averages the weights (SWA)."""
import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.optim.swa_utils import SWALR, AveragedModel, update_bn
from torch.utils.data import DataLoader, TensorDataset


class Residual(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(n, n), nn.BatchNorm1d(n), nn.ReLU(), nn.Linear(n, n), nn.BatchNorm1d(n))

    def forward(self, x):
        return torch.relu(x + self.f(x))


def model():
    return nn.Sequential(nn.Linear(64, 96), nn.BatchNorm1d(96), nn.ReLU(), Residual(96), Residual(96), nn.Linear(96, 10))


def loaders(seed):
    d = load_digits()
    x = torch.tensor(d.data, dtype=torch.float32) / 16.0
    y = torch.tensor(d.target)
    order = torch.randperm(len(x), generator=torch.Generator().manual_seed(seed))
    tr, te = order[:1200], order[1200:]
    return (DataLoader(TensorDataset(x[tr], y[tr]), batch_size=48, shuffle=True),
            DataLoader(TensorDataset(x[te], y[te]), batch_size=300))


@torch.no_grad()
def test(net, loader):
    net.eval()
    loss, hits, n = 0.0, 0, 0
    for x, y in loader:
        out = net(x)
        loss += nn.functional.cross_entropy(out, y, reduction="sum").item()
        hits += (out.argmax(1) == y).sum().item()
        n += len(y)
    return loss / n, hits / n


def main(epochs=18, swa_from=12):
    torch.manual_seed(66)
    train, held_out = loaders(66)
    net = model()
    averaged = AveragedModel(net)
    opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9, weight_decay=5e-4)
    cosine = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=swa_from, eta_min=0.01)
    flat = SWALR(opt, swa_lr=0.02, anneal_epochs=2)
    for epoch in range(epochs):
        net.train()
        total = 0.0
        for x, y in train:
            loss = nn.functional.cross_entropy(net(x), y, label_smoothing=0.05)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(y)
        if epoch >= swa_from:
            averaged.update_parameters(net)
            flat.step()
        else:
            cosine.step()
        vl, va = test(net, held_out)
        print(f"{epoch:2d} lr {opt.param_groups[0]['lr']:.4f} train {total / len(train.dataset):.4f} test {vl:.4f} acc {va:.4f}")
    update_bn(train, averaged)
    vl, va = test(averaged, held_out)
    print(f"averaged weights: test {vl:.4f} acc {va:.4f}")


if __name__ == "__main__":
    main()
