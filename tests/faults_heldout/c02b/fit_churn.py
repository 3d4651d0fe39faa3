import logging
import os

import torch
from torch import nn
from sklearn.metrics import roc_auc_score

from churn_data import CATEGORICAL, NUMERIC, Standardizer, read_table

log = logging.getLogger("churn")
ROOT = os.path.dirname(os.path.abspath(__file__))

EPOCHS = 10
BATCH = 48


class TabNet(nn.Module):
    """Entity embeddings for the categories, MLP on top."""

    def __init__(self, width=128):
        super().__init__()
        self.emb = nn.ModuleList([nn.Embedding(len(v), 4) for v in CATEGORICAL.values()])
        d = len(NUMERIC) + 4 * len(CATEGORICAL)
        self.mlp = nn.Sequential(
            nn.Linear(d, width), nn.SiLU(), nn.Dropout(0.2),
            nn.Linear(width, width), nn.SiLU(), nn.Dropout(0.2),
            nn.Linear(width, 1),
        )

    def forward(self, num, cat):
        e = [emb(cat[:, i]) for i, emb in enumerate(self.emb)]
        return self.mlp(torch.cat([num, *e], dim=1)).squeeze(1)


def score(model, table):
    model.eval()
    with torch.no_grad():
        logit = model(table.num, table.cat)
    loss = nn.functional.binary_cross_entropy_with_logits(logit, table.y).item()
    return loss, roc_auc_score(table.y.numpy(), logit.numpy())


def run():
    torch.manual_seed(5)
    train = read_table(os.path.join(ROOT, "customers_train.csv"))
    valid = read_table(os.path.join(ROOT, "customers_valid.csv"))
    scale = Standardizer().fit(train)
    train, valid = scale(train), scale(valid)

    model = TabNet()
    opt = torch.optim.Adam(model.parameters(), lr=1.5e-3, weight_decay=1e-5)
    bce = nn.BCEWithLogitsLoss()
    for epoch in range(EPOCHS):
        model.train()
        for idx in torch.randperm(len(train)).split(BATCH):
            num, cat, y = train.take(idx)
            loss = bce(model(num, cat), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
        tl, ta = score(model, train)
        vl, va = score(model, valid)
        log.info("epoch %02d  train loss %.4f auc %.4f | valid loss %.4f auc %.4f", epoch, tl, ta, vl, va)
    return model, scale


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
    run()
