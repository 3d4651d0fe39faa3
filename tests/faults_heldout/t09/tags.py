"""Multi-label topic tagging on bag-of-words vectors."""
import numpy as np
import torch
from torch import nn
from sklearn.datasets import make_multilabel_classification
from sklearn.metrics import f1_score

SEED = 19


class TopicNet(nn.Module):
    def __init__(self, n_words, n_topics):
        super().__init__()
        self.hidden = nn.Linear(n_words, 64)
        self.topics = nn.Linear(64, n_topics)

    def forward(self, bow):
        h = torch.relu(self.hidden(bow))
        return torch.sigmoid(self.topics(h))


def main():
    torch.manual_seed(SEED)
    X, Y = make_multilabel_classification(n_samples=3000, n_features=80, n_classes=12, n_labels=2,
                                          length=60, random_state=SEED)
    X = np.log1p(X)
    X = torch.tensor((X - X[:2400].mean(0)) / (X[:2400].std(0) + 1e-6), dtype=torch.float32)
    Y = torch.tensor(Y, dtype=torch.float32)
    net = TopicNet(80, 12)
    criterion = nn.BCEWithLogitsLoss()
    opt = torch.optim.Adam(net.parameters(), lr=1e-3, weight_decay=1e-4)
    for ep in range(14):
        net.train()
        losses = []
        for rows in torch.randperm(2400).split(48):
            scores = net(X[rows])
            loss = criterion(scores, Y[rows])
            opt.zero_grad(); loss.backward(); opt.step()
            losses.append(loss.item())
        net.eval()
        with torch.no_grad():
            scores = net(X[2400:])
            val = criterion(scores, Y[2400:]).item()
            hat = (torch.sigmoid(scores) > 0.5).int()
        f1 = f1_score(Y[2400:].int(), hat, average="micro")
        print(f"{ep:2d} | {np.mean(losses):.4f} | {val:.4f} | micro-F1 {f1:.3f}")


if __name__ == "__main__":
    main()
