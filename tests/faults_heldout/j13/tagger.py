import os
import sys

import numpy as np
import torch
from sklearn.metrics import f1_score
from torch import nn
from torch.utils.data import DataLoader, Dataset


class TagDataset(Dataset):
    def __init__(self, path, split):
        with np.load(path) as z:
            counts, tags = z["counts"].astype("float32"), z["tags"].astype("float32")
        part = slice(0, 2400) if split == "train" else slice(2400, None)
        self.x = np.log1p(counts[part])
        self.y = tags[part]

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


class Tagger(nn.Module):
    def __init__(self, n_words, n_tags, hidden=128, p=0.2):
        super().__init__()
        self.norm = nn.LayerNorm(n_words)
        self.fc1 = nn.Linear(n_words, hidden)
        self.fc2 = nn.Linear(hidden, n_tags)
        self.drop = nn.Dropout(p)

    def forward(self, x):
        return self.fc2(self.drop(torch.relu(self.fc1(self.norm(x)))))


@torch.no_grad()
def evaluate(model, loader):
    """Micro and macro F1 (and plain accuracy) of the tags with probability above one half; tags are not exclusive."""
    model.eval()
    pred, true = [], []
    for x, y in loader:
        pred.append((torch.sigmoid(model(x)) > 0.5).int())
        true.append(y.int())
    pred, true = torch.cat(pred).numpy(), torch.cat(true).numpy()
    return (f1_score(true, pred, average="micro", zero_division=0),
            f1_score(true, pred, average="macro", zero_division=0),
            (pred == true).mean(), pred.sum(1).mean(), true.sum(1).mean())


def main(epochs=12):
    torch.manual_seed(0)
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "tags.npz")
    train, test = TagDataset(path, "train"), TagDataset(path, "test")
    loader = DataLoader(train, batch_size=64, shuffle=True)
    test_loader = DataLoader(test, batch_size=300)
    model = Tagger(train.x.shape[1], train.y.shape[1])
    criterion = nn.CrossEntropyLoss()
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3)
    for ep in range(epochs):
        model.train()
        run = 0.0
        for x, y in loader:
            opt.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            opt.step()
            run += loss.item() * len(x)
        micro, macro, acc, n_pred, n_true = evaluate(model, test_loader)
        sys.stdout.write(f"{ep:3d} loss {run / len(train):.4f} micro-F1 {micro:.3f} macro-F1 {macro:.3f} tag acc {acc:.3f} "
                         f"tags/doc {n_pred:.2f} (true {n_true:.2f})\n")


if __name__ == "__main__":
    main()
