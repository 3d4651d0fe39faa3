import torch
from sklearn.datasets import load_digits

from .averaging import WeightAverage
from .model import DigitVAE, negative_elbo


def digits(seed=0):
    x = torch.tensor(load_digits().data, dtype=torch.float32) / 16.0
    p = torch.randperm(len(x), generator=torch.Generator().manual_seed(seed))
    return x[p[:1400]], x[p[1400:]]


@torch.no_grad()
def evaluate(model, x):
    g = torch.Generator().manual_seed(1)
    return sum(negative_elbo(x, *model(x, g)).item() for _ in range(4)) / 4


def fit(epochs=30, batch=64, lr=1e-3):
    train, val = digits()
    model = DigitVAE()
    average = WeightAverage(model)
    opt = torch.optim.Adam(model.parameters(), lr=lr)
    for epoch in range(1, epochs + 1):
        model.train()
        total = 0.0
        for i in torch.randperm(len(train)).split(batch):
            loss = negative_elbo(train[i], *model(train[i]))
            opt.zero_grad()
            loss.backward()
            opt.step()
            average.update(model)
            total += loss.item() * len(i)
        if epoch % 3 == 0:
            print(f"epoch {epoch:3d}  train -elbo {total / len(train):.3f}  val -elbo (averaged weights) {evaluate(average.module, val):.3f}")
    return average.module
