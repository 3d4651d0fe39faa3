import torch
from sklearn.metrics import f1_score
from torch import nn

from tagger.data import load
from tagger.model import BagTagger

torch.manual_seed(19)
ids, target, tags, vocab_size = load("questions.json")
n_train = 1700
model = BagTagger(vocab_size, len(tags))
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
criterion = nn.BCEWithLogitsLoss()

for epoch in range(20):
    model.train()
    total = 0.0
    for rows in torch.randperm(n_train).split(32):
        optimizer.zero_grad()
        loss = criterion(model(ids[rows]), target[rows])
        loss.backward()
        optimizer.step()
        total += loss.item() * len(rows)
    if epoch % 2 == 1:
        model.eval()
        with torch.no_grad():
            scores = model(ids[n_train:])
            val = criterion(scores, target[n_train:]).item()
        pred = (torch.sigmoid(scores) > 0.5).int()
        f1 = f1_score(target[n_train:].int(), pred, average="micro")
        print(f"epoch {epoch + 1:2d}  train {total / n_train:.4f}  val {val:.4f}  micro-F1 {f1:.3f}")
