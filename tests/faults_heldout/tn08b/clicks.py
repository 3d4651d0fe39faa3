"""
Will a shop session end in a purchase? Transformer over the last events of the session.

    python clicks.py [--warmup STEPS] [--lr PEAK]
"""
import argparse
import math

import numpy as np
import torch
from torch import nn
from sklearn.metrics import roc_auc_score

EVENTS = ["<pad>", "<cls>", "home", "search", "filter", "list", "item", "reviews", "photos", "size_guide", "wishlist",
          "cart_add", "cart_remove", "cart_view", "coupon", "login", "shipping_info", "returns_info", "chat", "payment_info"]
ID = {e: i for i, e in enumerate(EVENTS)}
MAX_LEN = 16


def simulate(n, rng):
    """Sessions as random walks over the site; buying depends on the order of a few events."""
    browse = [ID[e] for e in ("home", "search", "filter", "list", "item", "reviews", "photos", "size_guide")]
    late = [ID[e] for e in EVENTS[10:]]
    x = np.zeros((n, MAX_LEN), dtype=np.int64)
    y = np.zeros(n, dtype=np.float32)
    for k in range(n):
        length = rng.integers(8, MAX_LEN + 1)
        p_late = rng.uniform(0.25, 0.6)
        s = [int(rng.choice(late if rng.random() < p_late else browse)) for _ in range(length - 1)]
        x[k, 0] = ID["<cls>"]
        x[k, 1:length] = s
        last = lambda e: max((i for i, v in enumerate(s) if v == ID[e]), default=-1)
        score = -0.6
        score += 2.2 if last("cart_add") > last("cart_remove") else -2.2
        score += 1.6 if last("payment_info") > last("returns_info") else -1.6
        score += 0.8 * (s.count(ID["reviews"]) > 0) - 0.6 * (s.count(ID["chat"]) > 1)
        y[k] = rng.random() < 1 / (1 + math.exp(-2.5 * score))
    return torch.from_numpy(x), torch.from_numpy(y)


class SessionTransformer(nn.Module):
    def __init__(self, dim=32, heads=4, layers=8, dropout=0.1):
        super().__init__()
        self.event = nn.Embedding(len(EVENTS), dim, padding_idx=0)
        self.position = nn.Embedding(MAX_LEN, dim)
        layer = nn.TransformerEncoderLayer(dim, heads, 2 * dim, dropout, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        self.head = nn.Linear(dim, 1)

    def forward(self, x):
        h = self.event(x) + self.position.weight
        h = self.encoder(h, src_key_padding_mask=x == 0)
        return self.head(h[:, 0]).squeeze(-1)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=7)
    ap.add_argument("--batch-size", type=int, default=64)
    ap.add_argument("--lr", type=float, default=5e-3)
    ap.add_argument("--warmup", type=int, default=80, help="steps of linear warm-up before the cosine")
    ap.add_argument("--dim", type=int, default=32)
    ap.add_argument("--layers", type=int, default=8)
    ap.add_argument("--seed", type=int, default=2)
    args = ap.parse_args()

    rng = np.random.default_rng(args.seed)
    torch.manual_seed(args.seed)
    x_train, y_train = simulate(1920, rng)
    x_val, y_val = simulate(600, rng)

    model = SessionTransformer(args.dim, 4, args.layers)
    criterion = nn.BCEWithLogitsLoss()
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=0.01)
    steps = args.epochs * math.ceil(len(x_train) / args.batch_size)

    def factor(step):
        if step < args.warmup:
            return (step + 1) / args.warmup
        done = (step - args.warmup) / max(1, steps - args.warmup)
        return 0.5 * (1 + math.cos(math.pi * done))

    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, factor)
    print(f"purchase rate {y_train.mean():.2f}, {steps} steps")

    for epoch in range(1, args.epochs + 1):
        model.train()
        total = 0.0
        for idx in torch.randperm(len(x_train)).split(args.batch_size):
            loss = criterion(model(x_train[idx]), y_train[idx])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            total += loss.item() * len(idx)
        model.eval()
        with torch.no_grad():
            logit = model(x_val)
        auc = roc_auc_score(y_val.numpy(), logit.numpy())
        print(f"epoch {epoch}: train loss {total / len(x_train):.4f}  val loss {criterion(logit, y_val):.4f}  val AUC {auc:.4f}")


if __name__ == "__main__":
    main()
