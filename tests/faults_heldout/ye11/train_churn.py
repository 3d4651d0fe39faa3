import argparse
from pathlib import Path

import torch
from sklearn.metrics import average_precision_score, roc_auc_score
from torch import nn
from torch.utils.data import DataLoader

from churn.features import COUNTS, PLANS, load
from churn.model import ChurnNet

DATA = Path(__file__).parent / "data"


@torch.no_grad()
def validate(model, loader, criterion):
    model.eval()
    scores, truth = [], []
    for counts, plan, y in loader:
        scores.append(model(counts, plan))
        truth.append(y)
    scores, truth = torch.cat(scores), torch.cat(truth)
    return (
        criterion(scores, truth).item(),
        roc_auc_score(truth, scores),
        average_precision_score(truth, scores),
    )


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=14)
    ap.add_argument("--batch-size", type=int, default=128)
    ap.add_argument("--lr", type=float, default=2e-3)
    ap.add_argument("--seed", type=int, default=19)
    args = ap.parse_args()
    torch.manual_seed(args.seed)

    train_set, valid_set = load(DATA / "customers_train.csv"), load(DATA / "customers_valid.csv")
    train_dl = DataLoader(train_set, args.batch_size, shuffle=True, drop_last=True)
    valid_dl = DataLoader(valid_set, 512)
    rate = train_set.tensors[2].mean().item()
    print(f"{len(train_set)} customers, churn rate {rate:.3f}")

    model = ChurnNet(len(COUNTS), len(PLANS))
    criterion = nn.BCEWithLogitsLoss()
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=1e-2)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, args.epochs * len(train_dl))

    for epoch in range(1, args.epochs + 1):
        model.train()
        running = 0.0
        for counts, plan, y in train_dl:
            optimizer.zero_grad()
            loss = criterion(model(counts, plan), y)
            loss.backward()
            optimizer.step()
            scheduler.step()
            running += loss.item()
        vloss, auc, ap_ = validate(model, valid_dl, criterion)
        print(f"epoch {epoch:2d} | train {running / len(train_dl):.4f} | valid {vloss:.4f} | auc {auc:.4f} | ap {ap_:.4f}")


if __name__ == "__main__":
    main()
