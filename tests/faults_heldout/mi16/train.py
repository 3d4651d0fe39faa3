import numpy as np
import torch
from sklearn.metrics import average_precision_score, roc_auc_score
from sklearn.model_selection import train_test_split
from torch import nn
from torch.nn.functional import binary_cross_entropy_with_logits as bce
from torch.utils.data import DataLoader, TensorDataset, WeightedRandomSampler


def features(z):
    h = z["hour"] / 24 * 2 * np.pi
    cols = [
        np.log1p(z["amount"]), np.sin(h), np.cos(h), np.log1p(z["distance"]), z["new_payee"],
        z["recent"], np.log1p(z["minutes_since"]), np.log1p(z["account_days"]),
        *[z["channel"] == c for c in range(4)],
    ]
    return np.stack(cols, 1).astype(np.float32)


def main():
    torch.manual_seed(14)
    z = np.load("payments.npz")
    x, y = features(z), z["chargeback"].astype(np.float32)
    xa, xb, ya, yb = train_test_split(x, y, test_size=0.3, stratify=y, random_state=14)
    mu, sd = xa.mean(0), xa.std(0)
    xa, xb = [torch.from_numpy((v - mu) / sd) for v in (xa, xb)]
    ya, yb = torch.from_numpy(ya), torch.from_numpy(yb)

    # draw a quarter of each batch from the rare class; the shift in log-odds is taken back when scoring
    share, prior = 0.25, ya.mean().item()
    weight = torch.where(ya == 1, share / ya.sum(), (1 - share) / (1 - ya).sum())
    offset = np.log(share / (1 - share)) - np.log(prior / (1 - prior))
    sampler = WeightedRandomSampler(weight.double(), num_samples=len(ya))
    loader = DataLoader(TensorDataset(xa, ya), batch_size=128, sampler=sampler)

    net = nn.Sequential(nn.Linear(x.shape[1], 64), nn.ReLU(), nn.Dropout(0.1), nn.Linear(64, 1))
    opt = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=0.1)
    epochs = 12
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs * len(loader))
    for epoch in range(epochs):
        net.train()
        tot = 0.0
        for xx, yy in loader:
            loss = bce(net(xx).squeeze(1), yy)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            tot += loss.item()
        net.eval()
        with torch.no_grad():
            s = net(xb).squeeze(1) - offset
        print(f"epoch {epoch} train {tot / len(loader):.4f} | test log loss {bce(s, yb).item():.4f} "
              f"AP {average_precision_score(yb, s):.3f} AUC {roc_auc_score(yb, s):.3f} mean p {torch.sigmoid(s).mean().item():.4f} base {yb.mean().item():.4f}")


if __name__ == "__main__":
    main()
