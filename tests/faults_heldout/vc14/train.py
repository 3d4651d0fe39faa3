import argparse
from pathlib import Path

import torch
from sklearn.metrics import balanced_accuracy_score, roc_auc_score
from torch import nn
from torch.utils.data import DataLoader

from churn.model import churn_net
from churn.pipeline import prepare


def validate(model, data):
    model.eval()
    x, y = data.tensors
    with torch.no_grad():
        score = model(x)
    loss = nn.functional.binary_cross_entropy_with_logits(score, y).item()
    return loss, balanced_accuracy_score(y, score > 0), roc_auc_score(y, score)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--customers", default="customers.csv")
    ap.add_argument("--epochs", type=int, default=30)
    ap.add_argument("--val-share", type=float, default=0.25)
    ap.add_argument("--lr", type=float, default=2e-3)
    ap.add_argument("--seed", type=int, default=40)
    args = ap.parse_args()

    torch.manual_seed(args.seed)
    data = prepare(Path(__file__).parent / args.customers, args.val_share, args.seed)
    loader = DataLoader(data.train, batch_size=32, shuffle=True)
    model = churn_net(data.n_features)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=1e-3)
    criterion = nn.BCEWithLogitsLoss()
    print(f"train rows {len(data.train)}, validation rows {len(data.val)}")

    for epoch in range(1, args.epochs + 1):
        model.train()
        total = 0.0
        for x, y in loader:
            loss = criterion(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item() * len(y)
        if epoch % 3 == 0:
            val_loss, balanced, auc = validate(model, data.val)
            print(f"{epoch:3d}  train {total / len(data.train):.4f}  val {val_loss:.4f}  balanced acc {balanced:.3f}  auc {auc:.3f}")


if __name__ == "__main__":
    main()
