import torch
import torch.nn as nn
from pathlib import Path

torch.manual_seed(0)

BATCH, SEQ, HIDDEN = 8, 24, 96

text = (Path(__file__).parent / "input.txt").read_text()
vocab = sorted(set(text))
index = {c: i for i, c in enumerate(vocab)}
ids = torch.tensor([index[c] for c in text])
split = int(len(ids) * 0.9)


def streams(data, batch):
    """Cut the text into `batch` parallel streams."""
    n = len(data) // batch
    return data[: n * batch].view(batch, n)


train_ids, valid_ids = streams(ids[:split], BATCH), streams(ids[split:], 2)


class CharGRU(nn.Module):
    def __init__(self, n_vocab, hidden):
        super().__init__()
        self.embed = nn.Embedding(n_vocab, 32)
        self.gru = nn.GRU(32, hidden, batch_first=True)
        self.out = nn.Linear(hidden, n_vocab)

    def forward(self, x, state=None):
        rows = []
        if state is None:
            state = torch.zeros(1, len(x), HIDDEN)
        for b in range(len(x)):
            y, s, h = [], state[:, b : b + 1].contiguous(), None
            for t in range(x.shape[1]):
                o, s = self.gru(self.embed(x[b : b + 1, t : t + 1]), s)
                y.append(o)
            rows.append((torch.cat(y, dim=1), s))
        y, state = torch.cat([r[0] for r in rows]), torch.cat([r[1] for r in rows], dim=1)
        return self.out(y), state


model = CharGRU(len(vocab), HIDDEN)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=4e-3)


@torch.no_grad()
def validate():
    model.eval()
    state, losses = None, []
    for i in range(0, valid_ids.shape[1] - 1 - SEQ, SEQ):
        logits, state = model(valid_ids[:, i : i + SEQ], state)
        losses.append(criterion(logits.transpose(1, 2), valid_ids[:, i + 1 : i + SEQ + 1]).item())
    model.train()
    return sum(losses) / len(losses)


step = 0
for epoch in range(2):
    state = None
    for i in range(0, train_ids.shape[1] - 1 - SEQ, SEQ):
        x = train_ids[:, i : i + SEQ]
        y = train_ids[:, i + 1 : i + SEQ + 1]
        logits, state = model(x, state)
        loss = criterion(logits.transpose(1, 2), y)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        state = state.detach()
        step += 1
    if epoch % 2 == 1:
        print(f"epoch {epoch + 1:2d}  step {step:4d}  loss {loss.item():.3f}  valid {validate():.3f}")
