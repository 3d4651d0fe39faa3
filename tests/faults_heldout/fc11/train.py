"""Next-note model for folk-like melodies, trained with truncated backpropagation."""
import configparser
import math
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn

ini = configparser.ConfigParser()
ini.read(Path(__file__).with_name("run.ini"))
run, opt_cfg = ini["run"], ini["optimizer"]

SCALE = [0, 2, 4, 5, 7, 9, 11]
CHORDS = {0: (0, 2, 4), 3: (3, 5, 0), 4: (4, 6, 1), 5: (5, 0, 2)}
NEXT = {0: (3, 4, 5), 3: (4, 0), 4: (0, 5), 5: (3, 4)}


def compose(n_bars, rng):
    """Eight notes per bar, mostly chord tones and passing notes; 25 pitches plus a rest."""
    notes, chord, degree = [], 0, 7
    for _ in range(n_bars):
        motif = rng.integers(0, 2)
        for beat in range(8):
            if beat == 7 and rng.random() < 0.3:
                notes.append(25)
                continue
            if beat % 2 == 0:
                tone = CHORDS[chord][(beat // 2 + motif) % 3]
                degree = min((tone + 7 * o for o in range(3)), key=lambda d: abs(d - degree))
            else:
                degree = int(np.clip(degree + (1 if motif else -1), 0, 13))
            notes.append(min(24, SCALE[degree % 7] + 12 * (degree // 7)))
        chord = int(rng.choice(NEXT[chord]))
    return torch.tensor(notes)


def columns(seq, batch):
    n = len(seq) // batch
    return seq[: n * batch].view(batch, n).t().contiguous()


class MelodyModel(nn.Module):
    def __init__(self, n_notes, embed, hidden):
        super().__init__()
        self.embed = nn.Embedding(n_notes, embed)
        self.rnn = nn.LSTM(embed, hidden)
        self.out = nn.Linear(hidden, n_notes)
        nn.init.uniform_(self.embed.weight, -0.1, 0.1)
        nn.init.uniform_(self.out.weight, -0.1, 0.1)

    def forward(self, x, state):
        h, state = self.rnn(self.embed(x), state)
        return self.out(h), state


def detach(state):
    return None if state is None else tuple(s.detach() for s in state)


def train_epoch(model, data, bptt, lr, clip):
    model.train()
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    state, total, count = None, 0.0, 0
    for lo in range(0, len(data) - 1, bptt):
        n = min(bptt, len(data) - 1 - lo)
        x, y = data[lo:lo + n], data[lo + 1:lo + 1 + n]
        logits, state = model(x, detach(state))
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), y.flatten())
        optimizer.zero_grad()
        nn.utils.clip_grad_norm_(model.parameters(), clip)
        loss.backward()
        optimizer.step()
        total += loss.item() * n
        count += n
    return total / count


@torch.no_grad()
def evaluate(model, data, bptt):
    model.eval()
    state, total = None, 0.0
    for lo in range(0, len(data) - 1, bptt):
        n = min(bptt, len(data) - 1 - lo)
        logits, state = model(data[lo:lo + n], state)
        total += n * nn.functional.cross_entropy(
            logits.flatten(0, 1), data[lo + 1:lo + 1 + n].flatten()
        ).item()
    return total / (len(data) - 1)


def main():
    torch.manual_seed(run.getint("seed"))
    rng = np.random.default_rng(run.getint("seed"))
    bptt, clip = run.getint("bptt"), opt_cfg.getfloat("clip")
    train = columns(compose(9000, rng), run.getint("batch"))
    valid = columns(compose(1000, rng), run.getint("batch"))
    model = MelodyModel(26, run.getint("embed"), run.getint("hidden"))
    lr, best = opt_cfg.getfloat("lr"), None
    for epoch in range(1, run.getint("epochs") + 1):
        tr = train_epoch(model, train, bptt, lr, clip)
        va = evaluate(model, valid, bptt)
        print(f"| epoch {epoch:2d} | lr {lr:6.3f} | train {tr:.3f} | valid {va:.3f} | ppl {math.exp(min(va, 50)):.2f}")
        if best is not None and va > best - 0.01:
            lr *= opt_cfg.getfloat("decay")
        best = va if best is None else min(best, va)


if __name__ == "__main__":
    main()
