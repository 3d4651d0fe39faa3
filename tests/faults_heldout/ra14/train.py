import copy

import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn
from torch.optim.swa_utils import AveragedModel, update_bn

from sam import SAM

torch.manual_seed(30)
EPOCHS, SWA_FROM, BATCH = 16, 8, 48

d = load_digits()
x = torch.tensor(d.images / 8.0 - 1.0, dtype=torch.float32).flatten(1)
y = torch.tensor(d.target)
itr, ite = train_test_split(torch.arange(len(y)).numpy(), test_size=0.3, stratify=d.target, random_state=3)
xtr, ytr, xte, yte = x[itr], y[itr], x[ite], y[ite]

model = nn.Sequential(nn.Linear(64, 96), nn.BatchNorm1d(96), nn.ReLU(),
                      nn.Linear(96, 96), nn.BatchNorm1d(96), nn.ReLU(), nn.Linear(96, 10))
opt = SAM(model.parameters(), torch.optim.SGD, rho=0.08, lr=0.05, momentum=0.9)
swa = AveragedModel(model)


def batches():
    for idx in torch.randperm(len(xtr)).split(BATCH):
        if len(idx) > 8:
            yield xtr[idx], ytr[idx]


def acc(m):
    m.eval()
    with torch.no_grad():
        return (m(xte).argmax(1) == yte).float().mean().item()


for epoch in range(EPOCHS):
    for g in opt.param_groups:
        g["lr"] = 0.05 if epoch < SWA_FROM else 0.03
    model.train()
    first = second = n = 0
    for xb, yb in batches():
        loss = nn.functional.cross_entropy(model(xb), yb)
        loss.backward()
        opt.ascend()
        sharp = nn.functional.cross_entropy(model(xb), yb)
        sharp.backward()
        opt.descend()
        first, second, n = first + loss.item(), second + sharp.item(), n + 1
    if epoch >= SWA_FROM:
        swa.update_parameters(model)
    print(f"epoch {epoch:2d} loss {first / n:.4f} perturbed {second / n:.4f} test {acc(model):.4f}")

final = copy.deepcopy(swa)
update_bn([(xb,) for xb, _ in batches()], final)
print(f"averaged weights: test {acc(final):.4f}")
