import argparse

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence
from torch.utils.data import DataLoader

from corpus import TAGS, build, vocab
from measures import EntityF1, masked_nll

V = vocab()


def collate(batch):
    w = pad_sequence([torch.tensor([V[x] for x in s]) for s, _ in batch], batch_first=True)
    t = pad_sequence([torch.tensor([TAGS.index(x) for x in s]) for _, s in batch], batch_first=True)
    return w, t, torch.tensor([len(s) for s, _ in batch])


class Tagger(nn.Module):
    def __init__(self, n_words, n_tags, dim=24, hid=32):
        super().__init__()
        self.emb = nn.Embedding(n_words, dim, padding_idx=0)
        self.rnn = nn.GRU(dim, hid, batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * hid, n_tags)

    def forward(self, w, n):
        h, _ = self.rnn(pack_padded_sequence(self.emb(w), n, batch_first=True, enforce_sorted=False))
        h, _ = pad_packed_sequence(h, batch_first=True, total_length=w.shape[1])
        return self.out(h)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=8)
    ap.add_argument("--seed", type=int, default=13)
    a = ap.parse_args()
    torch.manual_seed(a.seed)
    tr = DataLoader(build(900, 1), batch_size=32, shuffle=True, collate_fn=collate, drop_last=True)
    va = DataLoader(build(250, 2), batch_size=64, collate_fn=collate)
    net = Tagger(len(V), len(TAGS))
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    smooth = None
    for ep in range(a.epochs):
        net.train()
        for w, t, n in tr:
            loss = masked_nll(net(w, n), t)
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 5.0)
            opt.step()
            smooth = loss.item() if smooth is None else 0.95 * smooth + 0.05 * loss.item()
        net.eval()
        f1, nll, tokens = EntityF1(), 0.0, 0
        with torch.no_grad():
            for w, t, n in va:
                z = net(w, n)
                f1.add(z, t)
                nll += masked_nll(z, t).item() * n.sum().item()
                tokens += n.sum().item()
        print(f"epoch {ep} smoothed loss {smooth:.4f} | valid nll/token {nll / tokens:.4f} entity F1 {f1.value():.4f}")


if __name__ == "__main__":
    main()
