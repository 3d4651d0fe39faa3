# %% Next-note model for the melody collection
from pathlib import Path

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(1955)
lines = Path(__file__).with_name("melodies.txt").read_text().split()
notes = sorted(set("".join(lines)))
idx = {c: i for i, c in enumerate(notes)}
tunes = torch.tensor([[idx[c] for c in line] for line in lines])
train, valid = tunes[:480], tunes[480:]
print(len(train), "tunes for training,", len(valid), "held out,", len(notes), "notes")


# %% Model
class Tune(nn.Module):
    def __init__(self, n, d=12, h=24):
        super().__init__()
        self.emb = nn.Embedding(n, d)
        self.gru = nn.GRU(d, h, batch_first=True)
        self.out = nn.Linear(h, n)

    def forward(self, x):
        return self.out(self.gru(self.emb(x))[0])


model = Tune(len(notes))
EPOCHS, BATCH = 8, 20
per_epoch = len(train) // BATCH
opt = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.01)
sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=1e-2, total_steps=EPOCHS * per_epoch, pct_start=0.2)


def nll(batch):
    logits = model(batch[:, :-1])
    return F.cross_entropy(logits.flatten(0, 1), batch[:, 1:].flatten())


# %% Training
for epoch in range(EPOCHS):
    model.train()
    running = 0.0
    for rows in torch.randperm(len(train)).split(BATCH):
        loss = nll(train[rows])
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        sched.step()
        running += loss.item()
    model.eval()
    with torch.no_grad():
        held = nll(valid).item()
    print(f"epoch {epoch:2d}  train {running / per_epoch:.4f}  held-out {held:.4f}  lr {sched.get_last_lr()[0]:.5f}")
