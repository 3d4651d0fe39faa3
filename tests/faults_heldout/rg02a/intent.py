# Purchase-intent model: which category does a browsing session end in?
import torch
import torch.nn.functional as F
from torch import nn

from corpus import ROOT, Vocabulary, batches, load_sessions

SEED, EPOCHS, BATCH, LR = 23, 7, 128, 4e-3
torch.manual_seed(SEED)


class SessionEncoder(nn.Module):
    def __init__(self, vocab, n_out, dim=24, hidden=32):
        super().__init__()
        self.pad = vocab.pad
        self.embed = nn.Embedding(len(vocab), dim)
        self.near = nn.Conv1d(dim, hidden, 3)
        self.far = nn.Conv1d(hidden, hidden, 3, dilation=2)
        self.out = nn.Sequential(nn.Linear(2 * hidden, 64), nn.ReLU(), nn.Dropout(0.2), nn.Linear(64, n_out))

    def forward(self, ev):
        real = ev != self.pad
        x = self.embed(ev).transpose(1, 2)
        h = F.relu(self.near(F.pad(x, (2, 0))))
        h = (h + F.relu(self.far(F.pad(h, (4, 0))))).transpose(1, 2)
        count = real.sum(1)
        tail = h[torch.arange(len(ev)), count - 1]
        pooled = (h * real.unsqueeze(-1)).sum(1) / count.unsqueeze(-1)
        return self.out(torch.cat([tail, pooled], 1))


def evaluate(model, ev, by):
    model.eval()
    with torch.no_grad():
        logits = torch.cat([model(e) for e, _ in batches(ev, by, 256)])
    model.train()
    return F.cross_entropy(logits, by).item(), (logits.argmax(1) == by).float().mean().item()


vocab = Vocabulary(ROOT / "vocab.txt")
train_ev, train_by = load_sessions("sessions_train.npz")
valid_ev, valid_by = load_sessions("sessions_valid.npz")
n_cat = int(train_by.max()) + 1
print(f"{len(vocab)} event types, {len(train_ev)} sessions, {n_cat} categories")

model = SessionEncoder(vocab, n_cat)
optim = torch.optim.Adam(model.parameters(), lr=LR)
gen = torch.Generator().manual_seed(SEED)
steps = EPOCHS * ((len(train_ev) + BATCH - 1) // BATCH)
decay = torch.optim.lr_scheduler.LinearLR(optim, 1.0, 0.05, total_iters=steps)

for epoch in range(1, EPOCHS + 1):
    seen = 0.0
    for ev, by in batches(train_ev, train_by, BATCH, gen):
        loss = F.cross_entropy(model(ev), by)
        optim.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optim.step()
        decay.step()
        seen += loss.item() * len(by)
    vl, va = evaluate(model, valid_ev, valid_by)
    print(f"[{epoch}] train={seen / len(train_ev):.4f} valid={vl:.4f} acc={va:.3f}")
