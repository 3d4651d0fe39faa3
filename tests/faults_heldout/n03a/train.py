import torch
from sklearn.metrics import roc_auc_score
from torch import nn
from torch.utils.data import DataLoader

from dataset import CATEGORICAL, NUMERIC, LoanTable


class ScoreCard(nn.Module):
    def __init__(self, hidden=64, emb=4, p=0.1):
        super().__init__()
        self.embs = nn.ModuleList(nn.Embedding(len(v), emb) for v in CATEGORICAL.values())
        self.body = nn.Sequential(
            nn.Linear(len(NUMERIC) + emb * len(CATEGORICAL), hidden),
            nn.ReLU(),
            nn.Dropout(p),
            nn.Linear(hidden, hidden // 2),
            nn.ReLU(),
            nn.Linear(hidden // 2, 1),
        )

    def forward(self, num, cat):
        e = [m(cat[:, k]) for k, m in enumerate(self.embs)]
        return self.body(torch.cat([num, *e], dim=1)).squeeze(1)


def predict(model, loader):
    model.eval()
    ps, ys = [], []
    with torch.no_grad():
        for num, cat, y in loader:
            ps.append(model(num, cat))
            ys.append(y)
    return torch.cat(ps), torch.cat(ys)


def main():
    torch.manual_seed(2024)
    train = LoanTable("loans_train.csv")
    valid = LoanTable("loans_valid.csv", scaler=train.scaler)
    print(f"train {len(train)} loans ({train.y.mean():.1%} default), valid {len(valid)} ({valid.y.mean():.1%})")
    train_dl = DataLoader(train, batch_size=64, shuffle=True)
    eval_dl = DataLoader(train, batch_size=512)
    valid_dl = DataLoader(valid, batch_size=512)

    model = ScoreCard()
    bce = nn.BCEWithLogitsLoss()
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=1e-3)
    for epoch in range(8):
        model.train()
        for num, cat, y in train_dl:
            opt.zero_grad()
            loss = bce(model(num, cat), y)
            loss.backward()
            opt.step()
        pt, yt = predict(model, eval_dl)
        pv, yv = predict(model, valid_dl)
        print(
            f"epoch {epoch:2d}  train loss {bce(pt, yt):.3f} auc {roc_auc_score(yt, pt):.3f}"
            f"  valid loss {bce(pv, yv):.3f} auc {roc_auc_score(yv, pv):.3f}"
        )
    torch.save(model.state_dict(), "scorecard.pt")


if __name__ == "__main__":
    main()
