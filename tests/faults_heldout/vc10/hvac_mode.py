"""Per-minute operating mode (off / heating / cooling) of an HVAC unit from its sparse event log."""
import random

import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader

random.seed(31)
torch.manual_seed(31)

EVENTS = ["none", "call_heat", "call_cool", "release", "door", "fan", "filter"]
MODES = ["off", "heating", "cooling"]
DELAY = 3


def session():
    """Events are rare; a call takes effect DELAY minutes later and holds until released or replaced."""
    length = int(20 * 8 ** random.random())
    events, modes = [], []
    mode, pending = 0, []
    for minute in range(length):
        event = 0
        if random.random() < 0.08:
            event = random.choices([1, 2, 3, 4, 5, 6], weights=[3, 3, 2, 2, 2, 2])[0]
        if event in (1, 2, 3):
            pending.append((minute + DELAY, event % 3))
        while pending and pending[0][0] <= minute:
            mode = pending.pop(0)[1]
        events.append(event)
        modes.append(mode)
    return torch.tensor(events), torch.tensor(modes)


def collate(sessions):
    lengths = torch.tensor([len(events) for events, _ in sessions])
    events = pad_sequence([e for e, _ in sessions], batch_first=True)
    modes = pad_sequence([m for _, m in sessions], batch_first=True)
    return events, modes, lengths


class ModeTracker(nn.Module):
    def __init__(self, hidden=48):
        super().__init__()
        self.embed = nn.Embedding(len(EVENTS), 16)
        self.rnn = nn.GRU(16, hidden, batch_first=True)
        self.head = nn.Linear(hidden, len(MODES))

    def forward(self, events):
        h, _ = self.rnn(self.embed(events))
        return self.head(h)


@torch.no_grad()
def recall_per_mode(model, loader):
    model.eval()
    hits, count = torch.zeros(len(MODES)), torch.zeros(len(MODES))
    for events, modes, lengths in loader:
        inside = torch.arange(events.shape[1])[None] < lengths[:, None]
        guess, truth = model(events).argmax(-1)[inside], modes[inside]
        for k in range(len(MODES)):
            count[k] += (truth == k).sum()
            hits[k] += ((truth == k) & (guess == k)).sum()
    return hits / count


train_loader = DataLoader([session() for _ in range(1200)], batch_size=40, shuffle=True, collate_fn=collate)
val_loader = DataLoader([session() for _ in range(300)], batch_size=100, collate_fn=collate)

model = ModeTracker()
optimizer = torch.optim.Adam(model.parameters(), lr=4e-3)
criterion = nn.CrossEntropyLoss()
for epoch in range(1, 11):
    model.train()
    total = 0.0
    for events, modes, _ in train_loader:
        logits = model(events)
        loss = criterion(logits.flatten(0, 1), modes.flatten())
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        total += loss.item()
    recall = recall_per_mode(model, val_loader)
    detail = "  ".join(f"{name} {r:.3f}" for name, r in zip(MODES, recall.tolist()))
    print(f"epoch {epoch:2d}  loss {total / len(train_loader):.4f}  recall: {detail}")
