import torch
from sklearn.datasets import make_multilabel_classification
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split

from multi.metrics import Accuracy

LABELS, BATCH = 6, 256


def data():
    X, Y = make_multilabel_classification(n_samples=2330, n_features=30, n_classes=LABELS, n_labels=2,
                                          length=80, random_state=4)
    X = torch.tensor(X, dtype=torch.float32)
    ds = TensorDataset(X, torch.tensor(Y, dtype=torch.float32))
    tr, va = random_split(ds, [2060, 270], generator=torch.Generator().manual_seed(0))
    mean, std = X[tr.indices].mean(0), X[tr.indices].std(0)
    ds.tensors = ((X - mean) / std, ds.tensors[1])
    return DataLoader(tr, batch_size=64, shuffle=True), DataLoader(va, batch_size=BATCH)


def main():
    torch.manual_seed(0)
    train_dl, val_dl = data()
    net = nn.Sequential(nn.Linear(30, 64), nn.ReLU(), nn.Dropout(0.2), nn.Linear(64, LABELS))
    bce = nn.BCEWithLogitsLoss()
    opt = torch.optim.Adam(net.parameters(), lr=2e-3, weight_decay=1e-4)
    meter = Accuracy()
    for epoch in range(15):
        net.train()
        tl = 0.0
        for x, y in train_dl:
            opt.zero_grad()
            loss = bce(net(x), y)
            loss.backward()
            opt.step()
            tl += loss.item() * len(x)
        net.eval()
        meter.reset()
        vl = 0.0
        with torch.no_grad():
            for x, y in val_dl:
                z = net(x)
                vl += bce(z, y).item() * len(x)
                meter.update(z, y)
        print(f"epoch {epoch}: train {tl / len(train_dl.dataset):.4f} val {vl / len(val_dl.dataset):.4f} "
              f"val_acc {meter.compute(BATCH, LABELS):.4f}")


if __name__ == "__main__":
    main()
