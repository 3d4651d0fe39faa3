import torch
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from lib.callbacks import EMA, EarlyStopping


def evaluate(model, X, y):
    model.eval()
    with torch.no_grad():
        z = model(X).squeeze(1)
        return nn.functional.binary_cross_entropy_with_logits(z, y).item(), ((z > 0) == (y > .5)).float().mean().item()


def main():
    torch.manual_seed(3)
    X, y = load_breast_cancer(return_X_y=True)
    Xtr, Xte, ytr, yte = train_test_split(X, y, test_size=0.2, stratify=y, random_state=7)
    Xtr, Xva, ytr, yva = train_test_split(Xtr, ytr, test_size=0.25, stratify=ytr, random_state=7)
    sc = StandardScaler().fit(Xtr)
    T = lambda a: torch.tensor(a, dtype=torch.float32)
    Xtr, Xva, Xte = (T(sc.transform(a)) for a in (Xtr, Xva, Xte))
    ytr, yva, yte = T(ytr), T(yva), T(yte)

    model = nn.Sequential(nn.Linear(30, 24), nn.BatchNorm1d(24), nn.ReLU(), nn.Dropout(0.3), nn.Linear(24, 1))
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=1e-2)
    ema, stop = EMA(model), EarlyStopping()
    dl = DataLoader(TensorDataset(Xtr, ytr), batch_size=32, shuffle=True, drop_last=True)
    for epoch in range(200):
        model.train()
        s = 0.0
        for xb, yb in dl:
            loss = nn.functional.binary_cross_entropy_with_logits(model(xb).squeeze(1), yb)
            opt.zero_grad()
            loss.backward()
            opt.step()
            ema.update(model)
            s += loss.item()
        vl, va = evaluate(ema.module, Xva, yva)
        print(f"epoch {epoch:3d} train {s / len(dl):.4f} ema val {vl:.4f} acc {va:.3f}")
        if stop.step(vl, ema.module):
            print("no improvement, stopping")
            break
    ema.module.load_state_dict(stop.state)
    print("test loss %.4f acc %.3f" % evaluate(ema.module, Xte, yte))


if __name__ == "__main__":
    main()
