from pathlib import Path

import torch
from sklearn.metrics import roc_auc_score
from torch.utils.data import DataLoader

from sessions.dataset import SessionDataset, collate
from sessions.model import SessionGRU

torch.manual_seed(17)
full = SessionDataset.from_jsonl(Path(__file__).parent / "sessions.jsonl")
train, valid = full.split(1900)
loader = DataLoader(train, batch_size=64, shuffle=True, collate_fn=collate)
vloader = DataLoader(valid, batch_size=100, collate_fn=collate)

model = SessionGRU(n_events=14)
opt = torch.optim.Adam(model.parameters(), lr=4e-3)
bce = torch.nn.BCEWithLogitsLoss()

for epoch in range(6):
    model.train()
    total = 0.0
    for events, lengths, y in loader:
        loss = bce(model(events, lengths), y)
        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 2.0)
        opt.step()
        total += loss.item() / len(loader)
    model.eval()
    with torch.no_grad():
        out = [(model(e, n), y) for e, n, y in vloader]
    score, y = torch.cat([o for o, _ in out]), torch.cat([t for _, t in out])
    print(f"{epoch=} train_loss={total:.4f} val_auc={roc_auc_score(y, score):.4f} "
          f"val_acc={((score > 0).float() == y).float().mean():.4f}")
