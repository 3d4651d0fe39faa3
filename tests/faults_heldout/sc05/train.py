import torch
from torch import nn
from torch.utils.data import DataLoader

from detector.net import CallDetector
from detector.recordings import Recordings
from detector.scoring import FrameScores

torch.manual_seed(1)
EPOCHS = 12

train_dl = DataLoader(Recordings(320, seed=10), batch_size=16, shuffle=True)
valid_dl = DataLoader(Recordings(80, seed=11), batch_size=40)

model = CallDetector()
criterion = nn.CrossEntropyLoss(weight=torch.tensor([0.7, 1.2, 1.2]))
optimizer = torch.optim.Adam(model.parameters(), lr=4e-3)


def train_epoch():
    model.train()
    losses = []
    for x, y in train_dl:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        losses.append(loss.item())
    return sum(losses) / len(losses)


@torch.no_grad()
def valid_epoch():
    model.eval()
    scores = FrameScores(3)
    for x, y in valid_dl:
        scores.add(model(x).argmax(1), y)
    return scores


for epoch in range(EPOCHS):
    loss = train_epoch()
    scores = valid_epoch()
    f1 = " ".join(f"{v:.3f}" for v in scores.f1())
    print(f"epoch {epoch:2d}  loss {loss:.4f}  frame acc {scores.accuracy():.3f}  f1 [noise up down] = [{f1}]")
