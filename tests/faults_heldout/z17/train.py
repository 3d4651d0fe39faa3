from pathlib import Path

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from tickets.batching import collate
from tickets.model import TicketRouter
from tickets.text import TicketDataset, Vocabulary, read_rows

torch.manual_seed(17)
rows = read_rows(Path(__file__).with_name("tickets.json"))
queues = sorted({r["queue"] for r in rows})
train_rows, val_rows = rows[:2000], rows[2000:]
vocab = Vocabulary(r["text"] for r in train_rows)
train = DataLoader(TicketDataset(train_rows, vocab, queues), batch_size=32, shuffle=True, collate_fn=collate)
val = DataLoader(TicketDataset(val_rows, vocab, queues), batch_size=100, collate_fn=collate)

model = TicketRouter(len(vocab), len(queues))
opt = torch.optim.Adam(model.parameters(), lr=2e-3)

for epoch in range(6):
    model.train()
    seen = loss_sum = 0
    for tokens, lengths, y in train:
        loss = F.cross_entropy(model(tokens, lengths), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        loss_sum += loss.item() * len(y)
        seen += len(y)
    model.eval()
    with torch.no_grad():
        right = sum((model(t, n).argmax(1) == y).sum().item() for t, n, y in val)
    print(f"epoch {epoch}: train loss {loss_sum / seen:.4f}, val accuracy {right / len(val_rows):.3f}")
