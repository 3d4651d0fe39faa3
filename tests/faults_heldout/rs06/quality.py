import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from records import Scaler, read_line_log

torch.manual_seed(8)
LR, EPOCHS, BATCH = 2e-3, 40, 64


def to_ds(x, y, scale):
    return TensorDataset(torch.from_numpy(scale(x)), torch.from_numpy(y).float())


class PassNet(nn.Module):
    def __init__(self, d, h=32):
        super().__init__()
        self.inp = nn.Linear(d, h)
        self.mid = nn.Linear(h, h)
        self.drop = nn.Dropout(0.25)
        self.out = nn.Linear(h, 1)

    def forward(self, x):
        x = torch.relu(self.inp(x))
        x = self.drop(torch.relu(self.mid(x)))
        return self.out(x).squeeze(-1)


def score(net, ds, bce):
    net.eval()
    x, y = ds.tensors
    with torch.inference_mode():
        z = net(x)
        return bce(z, y).item(), ((z > 0).float() == y).float().mean().item()


def main():
    x, y = read_line_log("line_2023.csv")
    xt, yt = read_line_log("line_2024.csv")
    scale = Scaler(x)
    tr, te = to_ds(x, y, scale), to_ds(xt, yt, scale)
    print("2023:", len(tr), "batches, pass rate %.3f" % y.mean(),
          "| 2024:", len(te), "batches, pass rate %.3f" % yt.mean())

    net, bce = PassNet(x.shape[1]), nn.BCEWithLogitsLoss()
    opt = torch.optim.AdamW(net.parameters(), lr=LR, weight_decay=0.02)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, EPOCHS)
    for epoch in range(EPOCHS):
        net.train()
        tot = 0.0
        for xb, yb in DataLoader(tr, BATCH, shuffle=True):
            opt.zero_grad()
            loss = bce(net(xb), yb)
            loss.backward()
            opt.step()
            tot += loss.item() * len(xb)
        sched.step()
        if epoch % 5 == 4:
            l, a = score(net, te, bce)
            print(f"{epoch + 1:3d}  train {tot / len(tr):.4f}   2024 loss {l:.4f} acc {a:.3f}")


if __name__ == "__main__":
    main()
