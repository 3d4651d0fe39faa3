"""Session-based recommendation: which article will be opened next (GRU4Rec style)."""
import torch
import torch.nn as nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader

SEED, DIM, HIDDEN, EPOCHS, BATCH = 5, 32, 64, 8, 64
torch.manual_seed(SEED)

with open("sessions.txt") as f:
    sessions = [line.split() for line in f]

articles = sorted({a for s in sessions for a in s})
code = {a: i + 1 for i, a in enumerate(articles)}          # 0 fills up short sessions
encoded = [torch.tensor([code[a] for a in s]) for s in sessions]
n_val = len(encoded) // 6
valid, train = encoded[:n_val], encoded[n_val:]


def collate(batch):
    padded = pad_sequence(batch, batch_first=True)
    return padded[:, :-1], padded[:, 1:]


class SessionGRU(nn.Module):
    def __init__(self, n_items):
        super().__init__()
        self.embed = nn.Embedding(n_items, DIM, padding_idx=0)
        self.gru = nn.GRU(DIM, HIDDEN, batch_first=True)
        self.score = nn.Linear(HIDDEN, n_items)

    def forward(self, items):
        states, _ = self.gru(self.embed(items))
        return self.score(states)


def recommend(model, history, k):
    return model(history[None])[0, -1].topk(k).indices


@torch.no_grad()
def offline_test(model):
    """Hide the last article of each session and ask for it."""
    model.eval()
    hit1, rr = 0, 0.0
    for s in valid:
        top = recommend(model, s[:-1], 10).tolist()
        target = s[-1].item()
        if target in top:
            rank = top.index(target) + 1
            hit1 += rank == 1
            rr += 1 / rank
    return hit1 / len(valid), rr / len(valid)


model = SessionGRU(len(articles) + 1)
optimizer = torch.optim.Adam(model.parameters(), lr=4e-3)
criterion = nn.CrossEntropyLoss()
loader = DataLoader(train, BATCH, shuffle=True, collate_fn=collate)

for epoch in range(1, EPOCHS + 1):
    model.train()
    summed = 0.0
    for items, following in loader:
        logits = model(items)
        loss = criterion(logits.flatten(0, 1), following.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        summed += loss.item()
    hr, mrr = offline_test(model)
    print(f"epoch {epoch:2d}   loss {summed / len(loader):.4f}   HR@1 {hr:.3f}   MRR@10 {mrr:.3f}")
