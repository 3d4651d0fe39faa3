import torch
from torch import nn
from torch.utils.data import DataLoader
from data import MAX_LEN, NextClick, TrainSessions, read_sessions
from evaluate import ranking_metrics
from model import SessionTransformer

SEED = 8
torch.manual_seed(SEED)

sessions = read_sessions()
n_items = max(max(s) for s in sessions)
train_loader = DataLoader(TrainSessions(sessions[:1500]), batch_size=32, shuffle=True)
test_loader = DataLoader(NextClick(sessions[1500:]), batch_size=512)

model = SessionTransformer(n_items, MAX_LEN)
opt = torch.optim.Adam(model.parameters(), lr=3e-3)
criterion = nn.CrossEntropyLoss(ignore_index=0)

for epoch in range(1, 15):
    model.train()
    total, clicks = 0.0, 0
    for x, y in train_loader:
        loss = criterion(model(x).flatten(0, 1), y.flatten())
        opt.zero_grad()
        loss.backward()
        opt.step()
        k = (y != 0).sum().item()
        total += loss.item() * k
        clicks += k
    hr, mrr = ranking_metrics(model, test_loader)
    print(f"epoch {epoch:2d}  train loss {total / clicks:.4f}  HR@10 {hr:.4f}  MRR@10 {mrr:.4f}")
