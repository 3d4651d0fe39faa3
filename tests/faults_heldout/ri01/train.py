"""Closed-set speaker identification from short voiced segments (TDNN + statistics pooling)."""
import argparse
import math

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader, Dataset


class Utterances(Dataset):
    def __init__(self, frames, offsets, speakers, index):
        self.frames, self.offsets, self.speakers, self.index = frames, offsets, speakers, index

    def __len__(self):
        return len(self.index)

    def __getitem__(self, k):
        u = self.index[k]
        seg = self.frames[self.offsets[u]:self.offsets[u + 1]]
        return torch.from_numpy(seg), int(self.speakers[u])


def collate(items):
    segs, spk = zip(*items)
    lengths = torch.tensor([len(s) for s in segs])
    return pad_sequence(segs, batch_first=True), lengths, torch.tensor(spk)


class StatsPooling(nn.Module):
    """Mean and standard deviation over the valid frames of each segment."""

    def forward(self, h, lengths):
        mask = (torch.arange(h.size(1))[None, :] < lengths[:, None]).unsqueeze(-1).to(h.dtype)
        n = lengths[:, None].to(h.dtype)
        mean = (h * mask).sum(1) / n
        var = (((h - mean[:, None]) * mask) ** 2).sum(1) / (n - 1)
        return torch.cat([mean, torch.sqrt(var + 1e-5)], dim=-1)


class SpeakerNet(nn.Module):
    def __init__(self, dim, width, speakers):
        super().__init__()
        self.frame1 = nn.Conv1d(dim, width, 3, padding=1)
        self.frame2 = nn.Conv1d(width, width, 1)
        self.pool = StatsPooling()
        self.segment = nn.Linear(2 * width, width)
        self.drop = nn.Dropout(0.2)
        self.out = nn.Linear(width, speakers)

    def forward(self, x, lengths):
        h = x.transpose(1, 2)
        h = F.relu(self.frame1(h))
        h = F.relu(self.frame2(h)).transpose(1, 2)
        e = F.relu(self.segment(self.pool(h, lengths)))
        return self.out(self.drop(e))


def evaluate(net, loader):
    net.eval()
    loss = hits = count = 0
    with torch.no_grad():
        for x, lengths, y in loader:
            logits = net(x, lengths)
            loss += F.cross_entropy(logits, y, reduction="sum").item()
            hits += (logits.argmax(1) == y).sum().item()
            count += len(y)
    net.train()
    return loss / count, hits / count


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--data", default="utts.npz")
    ap.add_argument("--epochs", type=int, default=14)
    ap.add_argument("--batch", type=int, default=32)
    ap.add_argument("--lr", type=float, default=2e-3)
    a = ap.parse_args()

    torch.manual_seed(3)
    z = np.load(a.data)
    frames = z["frames"].astype(np.float32)
    offsets, speakers = z["offsets"], z["speaker"]
    order = np.random.default_rng(5).permutation(len(speakers))
    cut = int(0.8 * len(order))
    tr, va = order[:cut], order[cut:]
    tr_frames = np.concatenate([frames[offsets[u]:offsets[u + 1]] for u in tr])
    frames = (frames - tr_frames.mean(0)) / tr_frames.std(0)

    train = DataLoader(Utterances(frames, offsets, speakers, tr), a.batch, shuffle=True, collate_fn=collate)
    val = DataLoader(Utterances(frames, offsets, speakers, va), 64, collate_fn=collate)

    net = SpeakerNet(frames.shape[1], 48, int(speakers.max()) + 1)
    opt = torch.optim.AdamW(net.parameters(), lr=a.lr, weight_decay=1e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, a.epochs * len(train))
    print(f"{len(tr)} train / {len(va)} val segments, chance loss {math.log(int(speakers.max()) + 1):.3f}")

    step = 0
    for epoch in range(a.epochs):
        for x, lengths, y in train:
            loss = F.cross_entropy(net(x, lengths), y)
            opt.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 5.0)
            opt.step()
            sched.step()
            if step % 8 == 0:
                print(f"step {step:4d} loss {loss.item():.4f}")
            step += 1
        vl, acc = evaluate(net, val)
        print(f"epoch {epoch:2d} val loss {vl:.4f} acc {acc:.3f}")


if __name__ == "__main__":
    main()
