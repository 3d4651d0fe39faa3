from pathlib import Path

import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset

from bloom.model import BloomNet
from bloom.table import Scaler, read_log, split

CFG = dict(seed=7, val=0.2, lr=4e-3, epochs=45, batch=40)


def main(cfg):
    torch.manual_seed(cfg["seed"])
    x, y = read_log(Path(__file__).parent / "readings.csv")
    (xt, yt), (xv, yv) = split(x, y, cfg["val"], cfg["seed"])
    scale = Scaler().fit(xt)
    train = TensorDataset(torch.tensor(scale(xt)), torch.tensor(yt))
    val = TensorDataset(torch.tensor(scale(xv)), torch.tensor(yv))

    net = BloomNet(xt.shape[1])
    opt = optim.RMSprop(net.parameters(), lr=cfg["lr"])
    bce = nn.BCEWithLogitsLoss()
    loader = DataLoader(train, cfg["batch"], shuffle=True, drop_last=True)

    for epoch in range(cfg["epochs"]):
        net.train()
        acc_loss = 0.0
        for xb, yb in loader:
            opt.zero_grad()
            loss = bce(net(xb), yb)
            loss.backward()
            opt.step()
            acc_loss += loss.item()
        if epoch % 5 == 4:
            net.eval()
            with torch.no_grad():
                z = net(val.tensors[0])
                hit = ((z > 0).float() == val.tensors[1]).float().mean()
            print(f"epoch={epoch + 1} loss={acc_loss / len(loader):.4f} val_acc={hit:.3f}")


if __name__ == "__main__":
    main(CFG)
