# %% character model of the plant event log
import math
import pathlib
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

SEED = int(sys.argv[1]) if len(sys.argv) > 1 else 8
STREAMS, SPAN, HIDDEN, EPOCHS = 16, 40, 64, 6
torch.manual_seed(SEED)
here = pathlib.Path(__file__).resolve().parent

# %% data: the log is cut into STREAMS long pieces that are read side by side, in order
text = (here / "train.log").read_text()
held = (here / "heldout.log").read_text()
alphabet = sorted(set(text + held))
code = {c: i for i, c in enumerate(alphabet)}
encode = lambda s: torch.tensor([code[c] for c in s])


def streams(ids, n):
    m = (len(ids) // n) * n
    return ids[:m].view(n, -1)


train = streams(encode(text), STREAMS)
valid = streams(encode(held), 4)


# %% model
class CharGRU(nn.Module):
    def __init__(self, v):
        super().__init__()
        self.emb = nn.Embedding(v, 24)
        self.gru = nn.GRU(24, HIDDEN, batch_first=True)
        self.out = nn.Linear(HIDDEN, v)

    def forward(self, x, h=None):
        y, h = self.gru(self.emb(x), h)
        return self.out(y), h


net = CharGRU(len(alphabet))
spans = (train.shape[1] - 1) // SPAN
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, EPOCHS * spans, eta_min=2e-4)


@torch.no_grad()
def bits(data):
    net.eval()
    h, nats, n = None, 0.0, 0
    for i in range(0, data.shape[1] - 1, SPAN):
        x, y = data[:, i : i + SPAN], data[:, i + 1 : i + 1 + SPAN]
        x = x[:, : y.shape[1]]
        z, h = net(x, h)
        nats += F.cross_entropy(z.transpose(1, 2), y, reduction="sum").item()
        n += y.numel()
    return nats / n / math.log(2)


# %% truncated back-propagation through time
for epoch in range(1, EPOCHS + 1):
    net.train()
    h, run = None, 0.0
    for k in range(spans):
        i = k * SPAN
        z, h = net(train[:, i : i + SPAN], h)
        h = h.detach()
        loss = F.cross_entropy(z.transpose(1, 2), train[:, i + 1 : i + 1 + SPAN])
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        sched.step()
        run += loss.item()
    print(f"epoch {epoch}: train {run / spans / math.log(2):.3f} bit/char, held-out {bits(valid):.3f} bit/char")
