"""Ordinal glaze grade (1..5) of a firing from its kiln log."""
import configparser
import json

import numpy as np
import torch

ini = configparser.ConfigParser()
ini.read("kiln.ini")
C = ini["fit"]
torch.manual_seed(C.getint("seed"))
torch.set_num_threads(1)

GRADES = 5
logs = np.load("firings.npz")
chan = [str(c) for c in logs["channels"]]
ref = json.load(open("channel_ref.json"))
centre = np.array([ref[c]["centre"] for c in chan], dtype=np.float32)
spread = np.array([ref[c]["spread"] for c in chan], dtype=np.float32)


def tensors(part):
    x = (logs[f"{part}_log"].astype(np.float32) - centre) / spread
    return torch.from_numpy(x), torch.from_numpy(logs[f"{part}_len"].astype(np.int64)), torch.from_numpy(logs[f"{part}_grade"].astype(np.int64)) - 1


class Firing(torch.nn.Module):
    def __init__(self, c, h):
        super().__init__()
        self.rnn = torch.nn.GRU(c, h, batch_first=True)
        self.mix = torch.nn.Sequential(torch.nn.Linear(2 * h, h), torch.nn.SiLU(), torch.nn.Linear(h, 1))
        self.first = torch.nn.Parameter(torch.tensor(-1.5))
        self.gap = torch.nn.Parameter(torch.zeros(GRADES - 2))

    def cuts(self):
        return torch.cat([self.first[None], self.first + torch.cumsum(torch.nn.functional.softplus(self.gap), 0)])

    def forward(self, x, n):
        packed = torch.nn.utils.rnn.pack_padded_sequence(x, n, batch_first=True, enforce_sorted=False)
        out, last = self.rnn(packed)
        out, _ = torch.nn.utils.rnn.pad_packed_sequence(out, batch_first=True, total_length=x.shape[1])
        live = (torch.arange(x.shape[1])[None] < n[:, None]).unsqueeze(-1)
        mean = (out * live).sum(1) / n[:, None]
        return self.mix(torch.cat([last[0], mean], 1)).squeeze(1)


def grade_probs(score, cuts):
    """cumulative link: P(grade <= k) = sigmoid(cut_k - score)"""
    cdf = torch.sigmoid(cuts[None] - score[:, None])
    pad0, pad1 = torch.zeros_like(cdf[:, :1]), torch.ones_like(cdf[:, :1])
    cdf = torch.cat([pad0, cdf, pad1], 1)
    return (cdf[:, 1:] - cdf[:, :-1]).clamp_min(1e-6)


def batches(data, size, g):
    while True:
        perm = torch.randperm(len(data[0]), generator=g)
        for i in range(0, len(perm) - size + 1, size):
            j = perm[i:i + size]
            yield tuple(t[j] for t in data)


def score(net, data):
    net.eval()
    with torch.no_grad():
        p = grade_probs(net(data[0], data[1]), net.cuts())
    net.train()
    nll = -p.gather(1, data[2][:, None]).log().mean().item()
    med = (p.cumsum(1) < 0.5).sum(1)
    return nll, (med == data[2]).float().mean().item(), (med - data[2]).abs().float().mean().item()


train, held = tensors("train"), tensors("held")
net = Firing(len(chan), C.getint("hidden"))
cut_params = [net.first, net.gap]
cut_ids = {id(p) for p in cut_params}
opt_net = torch.optim.Adam([p for p in net.parameters() if id(p) not in cut_ids], lr=C.getfloat("lr"))
opt_cut = torch.optim.SGD(cut_params, lr=C.getfloat("cut_lr"), momentum=0.9)
updates = C.getint("updates")
anneal = [torch.optim.lr_scheduler.CosineAnnealingLR(o, updates) for o in (opt_net, opt_cut)]

stream = batches(train, C.getint("batch"), torch.Generator().manual_seed(C.getint("seed")))
run = 0.0
for u, (x, n, y) in zip(range(1, updates + 1), stream):
    p = grade_probs(net(x, n), net.cuts())
    loss = -p.gather(1, y[:, None]).log().mean()
    for o in (opt_net, opt_cut):
        o.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
    for o, s in zip((opt_net, opt_cut), anneal):
        o.step()
        s.step()
    run += loss.item()
    if u % 50 == 0:
        nll, acc, mae = score(net, held)
        print(f"update {u:4d} | nll {run / 50:.4f} | held nll {nll:.4f} acc {acc:.3f} mae {mae:.3f}")
        run = 0.0

nll, acc, mae = score(net, held)
print("cuts:", " ".join(f"{c:.2f}" for c in net.cuts().tolist()))
print(f"final held-out: acc={acc:.4f} grade MAE={mae:.4f}")
