"""Track the operating mode of production lines from their event stream with an LSTM and truncated BPTT.

A line announces a mode change once (event ids 0 and 1); the remaining events are routine chatter. At each tick the
model states the next reading's class, which depends on the present event and on the mode the line is in.
"""
import pathlib
import tomllib

import torch
import torch.nn as nn
import torch.nn.functional as F


def make_streams(rows, ticks, cfg, gen):
    ev = torch.randint(2, cfg["symbols"], (rows, ticks), generator=gen)
    switch = torch.rand(rows, ticks, generator=gen) < cfg["switch_rate"]
    switch[:, 0] = True
    to = torch.randint(0, 2, (rows, ticks), generator=gen)
    ev = torch.where(switch, to, ev)
    mode = torch.zeros(rows, ticks, dtype=torch.long)
    cur = to[:, 0]
    for t in range(ticks):
        cur = torch.where(switch[:, t], to[:, t], cur)
        mode[:, t] = cur
    label = (ev % 2) ^ mode
    slip = torch.rand(rows, ticks, generator=gen) < 0.03
    return ev, torch.where(slip, 1 - label, label)


class Tracker(nn.Module):
    def __init__(self, symbols, embed, hidden, layers, dropout, forget_bias):
        super().__init__()
        self.emb = nn.Embedding(symbols, embed)
        self.rnn = nn.LSTM(embed, hidden, layers, batch_first=True, dropout=dropout)
        self.out = nn.Linear(hidden, 2)
        for name, p in self.rnn.named_parameters():
            if name.startswith("bias_hh"):
                p.data[hidden:2 * hidden].add_(forget_bias)

    def forward(self, ev, state=None):
        h, state = self.rnn(self.emb(ev), state)
        return self.out(h), state


def run(model, ev, y, tc, opt=None):
    """One pass over the streams from left to right. Returns (mean loss, accuracy)."""
    state, tot, hit, n = None, 0.0, 0, 0
    for s in range(0, ev.shape[1], tc["window"]):
        if not tc["carry_state"]:
            state = None
        elif state is not None and tc["detach_state"]:
            state = tuple(v.detach() for v in state)
        xb, yb = ev[:, s:s + tc["window"]], y[:, s:s + tc["window"]]
        logits, state = model(xb, state)
        loss = F.cross_entropy(logits.flatten(0, 1), yb.flatten())
        if opt is not None:
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), tc["clip_norm"])
            opt.step()
        tot += loss.item() * yb.numel()
        hit += (logits.argmax(-1) == yb).sum().item()
        n += yb.numel()
    return tot / n, hit / n


def main():
    cfg = tomllib.loads(pathlib.Path(__file__).with_name("settings.toml").read_text())
    torch.manual_seed(cfg["seed"])
    gen = torch.Generator().manual_seed(cfg["seed"])
    sc, tc = cfg["stream"], cfg["training"]
    ev, y = make_streams(sc["streams"], sc["length"], sc, gen)
    evv, yv = make_streams(sc["streams"], sc["val_length"], sc, gen)
    model = Tracker(sc["symbols"], forget_bias=tc["forget_bias"], **cfg["model"])
    opt = torch.optim.Adam(model.parameters(), lr=tc["lr"])
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, tc["epochs"], eta_min=3e-4)
    for ep in range(tc["epochs"]):
        model.train()
        tl, ta = run(model, ev, y, tc, opt)
        sched.step()
        model.eval()
        with torch.no_grad():
            vl, va = run(model, evv, yv, tc)
        if ep % cfg["report"]["every"] == 0:
            print(f"pass {ep}: train {tl:.4f}/{ta:.3f}  new lines {vl:.4f}/{va:.3f}")


main()
