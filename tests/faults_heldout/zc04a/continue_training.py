"""Second stage: continue the note model on the new ward's notes from the saved training state."""
import configparser
import time
from pathlib import Path

import torch
import torch.nn.functional as F

from model import CharGRU

BASE = Path(__file__).parent
ini = configparser.ConfigParser()
ini.read(BASE / "run.ini")
opts = ini["train"]

text = (BASE / "notes.txt").read_text()
state = torch.load(BASE / "stage1.pt", weights_only=True)
stoi = {c: i for i, c in enumerate(state["chars"])}
ids = torch.tensor([stoi[c] for c in text])
cut = int(len(ids) * 0.9)
train_ids, test_ids = ids[:cut], ids[cut:]

torch.manual_seed(opts.getint("seed"))
net = CharGRU(len(stoi))
opt = torch.optim.Adam(net.parameters(), lr=opts.getfloat("lr"))
net.load_state_dict(state["model"])
opt.load_state_dict(state["optimizer"])
print(f"restored step {state['step']}, {sum(p.numel() for p in net.parameters())} parameters")

T, B = opts.getint("context"), opts.getint("batch")


def batch(source):
    starts = torch.randint(0, len(source) - T - 1, (B,))
    rows = torch.stack([source[s:s + T + 1] for s in starts.tolist()])
    return rows[:, :-1], rows[:, 1:]


@torch.no_grad()
def held_out():
    n = (len(test_ids) - 1) // T
    x = test_ids[:n * T].view(n, T)
    y = test_ids[1:n * T + 1].view(n, T)
    return F.cross_entropy(net(x).flatten(0, 1), y.flatten()).item()


t0 = time.time()
avg = None
print(f"before: held-out {held_out():.4f}")
for step in range(1, opts.getint("steps") + 1):
    x, y = batch(train_ids)
    loss = F.cross_entropy(net(x).flatten(0, 1), y.flatten())
    opt.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    opt.step()
    avg = loss.item() if avg is None else 0.95 * avg + 0.05 * loss.item()
    if step % opts.getint("report") == 0:
        print(f"step {step:4d}  loss {avg:.4f}  held-out {held_out():.4f}  {time.time() - t0:.1f}s")
