"""Guess the kind of a free-form identifier (e-mail, phone, date, ...) from its characters."""
import random
import unicodedata
from collections import Counter
from pathlib import Path

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_sequence
from torch.utils.data import DataLoader

SEED, MAX_LEN, EPOCHS = 13, 32, 7


def parse(path):
    """`kind<TAB>value` lines; comments, blanks and broken lines are skipped, repeats are kept once."""
    skipped, seen, pairs = Counter(), set(), []
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        if not line.strip() or line.startswith("#"):
            skipped["comment"] += 1
            continue
        kind, tab, value = line.partition("\t")
        value = unicodedata.normalize("NFKC", value).strip()
        if not tab or not value:
            skipped["broken"] += 1
            continue
        key = value.lower()
        if key in seen:
            skipped["repeat"] += 1
            continue
        seen.add(key)
        pairs.append((value[:MAX_LEN], kind.strip().lower()))
    return pairs, skipped


class CharLSTM(nn.Module):
    def __init__(self, n_chars, n_kinds, emb=16, hidden=48):
        super().__init__()
        self.emb = nn.Embedding(n_chars, emb, padding_idx=0)
        self.lstm = nn.LSTM(emb, hidden, batch_first=True)
        self.fc = nn.Linear(hidden, n_kinds)

    def forward(self, x, lengths):
        packed = pack_padded_sequence(self.emb(x), lengths, batch_first=True, enforce_sorted=False)
        _, (h, _) = self.lstm(packed)
        return self.fc(h[-1])


def main():
    torch.manual_seed(SEED)
    pairs, skipped = parse(Path(__file__).parent / "identifiers.tsv")
    random.Random(SEED).shuffle(pairs)
    cut = len(pairs) * 4 // 5
    train, test = pairs[:cut], pairs[cut:]
    chars = {c: i + 2 for i, c in enumerate(sorted({c for v, _ in train for c in v}))}
    kinds = sorted({k for _, k in train})
    print(f"{len(train)} train, {len(test)} test, skipped {dict(skipped)}, {len(chars)} characters")
    print("kinds", Counter(k for _, k in train))

    def collate(batch):
        seqs = [torch.tensor([chars.get(c, 1) for c in v]) for v, _ in batch]
        return (pad_sequence(seqs, batch_first=True), torch.tensor([len(s) for s in seqs]),
                torch.tensor([kinds.index(k) for _, k in batch]))

    loader = DataLoader(train, 32, shuffle=True, collate_fn=collate)
    test_loader = DataLoader(test, 256, collate_fn=collate)
    model = CharLSTM(len(chars) + 2, len(kinds))
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    sched = torch.optim.lr_scheduler.ExponentialLR(opt, 0.8)
    ce = nn.CrossEntropyLoss(label_smoothing=0.05)
    for ep in range(EPOCHS):
        model.train()
        tot = 0.0
        for x, lengths, y in loader:
            opt.zero_grad()
            loss = ce(model(x, lengths), y)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            tot += loss.item() * len(y)
        sched.step()
        model.eval()
        hit, vl = 0, 0.0
        with torch.no_grad():
            for x, lengths, y in test_loader:
                out = model(x, lengths)
                hit += (out.argmax(1) == y).sum().item()
                vl += ce(out, y).item() * len(y)
        print(f"epoch {ep}  train {tot / len(train):.3f}  test {vl / len(test):.3f}  acc {hit / len(test):.3f}")


if __name__ == "__main__":
    main()
