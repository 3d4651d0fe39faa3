"""Deepest nesting of a bracket string; short strings come first."""
import random
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence

STAGES = [(8, 4), (16, 4), (28, 10)]     # longest string, epochs
CODE = {"(": 1, ")": 2, "[": 3, "]": 4}


def load(path):
    pairs = []
    with open(path) as f:
        for line in f:
            s, d = line.split()
            pairs.append((s, int(d) - 1))
    return pairs


def pack(pairs):
    lengths = torch.tensor([len(s) for s, _ in pairs])
    ids = torch.zeros(len(pairs), int(lengths.max()), dtype=torch.long)
    for i, (s, _) in enumerate(pairs):
        ids[i, :len(s)] = torch.tensor([CODE[c] for c in s])
    return ids, lengths, torch.tensor([d for _, d in pairs])


class DepthGRU(nn.Module):
    def __init__(self, hidden=48, depths=6):
        super().__init__()
        self.emb = nn.Embedding(5, 12, padding_idx=0)
        self.gru = nn.GRU(12, hidden, batch_first=True)
        self.out = nn.Linear(hidden, depths)

    def forward(self, ids, lengths):
        seq = pack_padded_sequence(self.emb(ids), lengths, batch_first=True, enforce_sorted=False)
        _, h = self.gru(seq)
        return self.out(h[-1])


def main():
    random.seed(2)
    torch.manual_seed(2)
    train, test = load("train.txt"), load("test.txt")
    model = DepthGRU()
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    ce = nn.CrossEntropyLoss()
    test_pack = pack(test)
    epoch = 0
    for longest, epochs in STAGES:
        pool = [p for p in train if len(p[0]) <= longest]
        print(f"-- strings up to {longest}: {len(pool)}")
        for k in range(epochs):
            for g in opt.param_groups:
                g["lr"] = 3e-3 if longest < 28 else 3e-3 * (1 - k / epochs)
            random.shuffle(pool)
            model.train()
            total = 0.0
            for i in range(0, len(pool), 40):
                ids, lengths, depth = pack(pool[i:i + 40])
                loss = ce(model(ids, lengths), depth)
                opt.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                opt.step()
                total += loss.item() * len(depth)
            epoch += 1
            model.eval()
            with torch.no_grad():
                out = model(test_pack[0], test_pack[1])
                acc = (out.argmax(1) == test_pack[2]).float().mean().item()
                tl = ce(out, test_pack[2]).item()
            print(f"epoch {epoch}: pool loss {total / len(pool):.4f}, all lengths: loss {tl:.4f} accuracy {acc:.3f}")


main()
