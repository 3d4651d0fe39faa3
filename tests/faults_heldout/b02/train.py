import argparse

import numpy as np
import torch
from sklearn.metrics import roc_auc_score
from sklearn.neighbors import KNeighborsClassifier
from torch.utils.data import DataLoader

from metric.data import Triplets, load
from metric.losses import TripletLoss
from metric.net import EmbeddingNet


@torch.no_grad()
def verify(net, xtr, ytr, xte, yte, rng, n_pairs=4000):
    net.eval()
    etr, ete = net(xtr).numpy(), net(xte).numpy()
    i, j = rng.integers(len(xte), size=(2, n_pairs))
    keep = i != j
    i, j = i[keep], j[keep]
    auc = roc_auc_score(yte[i] == yte[j], (ete[i] * ete[j]).sum(1))
    knn = KNeighborsClassifier(5).fit(etr, ytr).score(ete, yte)
    return auc, knn


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=10)
    ap.add_argument("--bs", type=int, default=64)
    ap.add_argument("--lr", type=float, default=1e-3)
    ap.add_argument("--margin", type=float, default=0.3)
    ap.add_argument("--seed", type=int, default=5)
    a = ap.parse_args()
    torch.manual_seed(a.seed)
    xtr, ytr, xte, yte = load(a.seed)
    loader = DataLoader(Triplets(xtr, ytr, a.seed), batch_size=a.bs, shuffle=True, drop_last=True)
    net = EmbeddingNet()
    crit = TripletLoss(a.margin)
    opt = torch.optim.Adam(net.parameters(), lr=a.lr, weight_decay=1e-4)
    for ep in range(1, a.epochs + 1):
        net.train()
        tot = act = 0.0
        for anc, pos, neg in loader:
            e = net(torch.cat([anc, pos, neg]))
            loss, active = crit(*e.chunk(3))
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot += loss.item(); act += active.item()
        auc, knn = verify(net, xtr, ytr, xte, yte, np.random.default_rng(1))
        print(f"[{ep:02d}] triplet {tot/len(loader):.4f}  active {act/len(loader):.2f}  val auc {auc:.3f}  5-nn {knn:.3f}")


if __name__ == "__main__":
    main()
