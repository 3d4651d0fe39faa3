import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset

from claims.book import policies
from claims.features import SkewScaler
from claims.model import Frequency, poisson_deviance

EPOCHS, BATCH, LR = 20, 256, 3e-3


def tensors(x, e, n):
    return TensorDataset(*(torch.tensor(np.asarray(v), dtype=torch.float32) for v in (x, e, n)))


def main():
    torch.manual_seed(15)
    x, e, n = policies(12000, seed=3)
    cut = 9000
    scaler = SkewScaler(log_columns=(0, 1, 2, 4))
    train = tensors(scaler.fit_transform(x[:cut]), e[:cut], n[:cut])
    valid = tensors(scaler.transform(x[cut:]), e[cut:], n[cut:])
    model = Frequency(x.shape[1], n[:cut].sum() / e[:cut].sum())
    opt = torch.optim.Adam(model.parameters(), lr=LR)
    sched = torch.optim.lr_scheduler.ExponentialLR(opt, 0.9)
    for epoch in range(EPOCHS):
        model.train()
        total = 0.0
        for xb, eb, nb in DataLoader(train, BATCH, shuffle=True):
            loss = torch.nn.functional.poisson_nll_loss(model(xb, eb), nb)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(nb)
        sched.step()
        model.eval()
        with torch.no_grad():
            dev = [poisson_deviance(model(d.tensors[0], d.tensors[1]), d.tensors[2]).item() for d in (train, valid)]
        print(f"{epoch:2d}  nll {total / cut:.4f}  deviance train {dev[0]:.4f}  valid {dev[1]:.4f}")


if __name__ == "__main__":
    main()
