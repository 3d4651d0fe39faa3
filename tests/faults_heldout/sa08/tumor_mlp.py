"""Benign/malignant classifier on the Wisconsin nuclei measurements."""
import numpy as np
import torch
import torch.nn as nn
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

SEED = 101
HIDDEN = [64, 64, 48, 48, 48, 32, 32, 32, 16, 16]
ACTIVATION = nn.Sigmoid
EPOCHS = 80
BATCH = 32
LR = 0.05


def seed_all(seed):
    np.random.seed(seed)
    torch.manual_seed(seed)


def make_network(n_in):
    blocks = []
    for n_out in HIDDEN:
        lin = nn.Linear(n_in, n_out)
        nn.init.xavier_normal_(lin.weight)
        nn.init.zeros_(lin.bias)
        blocks.append(nn.Sequential(lin, ACTIVATION()))
        n_in = n_out
    return nn.Sequential(*blocks, nn.Linear(n_in, 1))


def load():
    x, y = load_breast_cancer(return_X_y=True)
    x_tr, x_te, y_tr, y_te = train_test_split(x, y, test_size=0.25, stratify=y, random_state=SEED)
    sc = StandardScaler().fit(x_tr)
    to = lambda a: torch.tensor(a, dtype=torch.float32)
    return to(sc.transform(x_tr)), to(y_tr), to(sc.transform(x_te)), to(y_te)


def fit(net, x, y, x_te, y_te):
    bce = nn.BCEWithLogitsLoss()
    opt = torch.optim.SGD(net.parameters(), lr=LR, momentum=0.9)
    for epoch in range(1, EPOCHS + 1):
        net.train()
        total = 0.0
        for idx in torch.randperm(len(x)).split(BATCH):
            loss = bce(net(x[idx]).squeeze(1), y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(idx)
        if epoch % 8 == 0:
            acc, auc = score(net, x_te, y_te)
            print(f"epoch {epoch:3d}  bce {total / len(x):.4f}  test acc {acc:.3f}  auc {auc:.3f}")


@torch.no_grad()
def score(net, x, y):
    net.eval()
    p = torch.sigmoid(net(x).squeeze(1))
    return ((p > 0.5).float() == y).float().mean().item(), roc_auc_score(y.numpy(), p.numpy())


if __name__ == "__main__":
    seed_all(SEED)
    x_train, y_train, x_test, y_test = load()
    network = make_network(x_train.shape[1])
    print(network.__class__.__name__, "with", len(HIDDEN), "hidden layers,",
          sum(p.numel() for p in network.parameters()), "weights")
    fit(network, x_train, y_train, x_test, y_test)
