import argparse
from pathlib import Path

import torch
import torch.nn.functional as F

from masking import IGNORE, Masker
from model import CharBert


def load_corpus(path):
    lines = Path(path).read_text().splitlines()
    chars = sorted(set("".join(lines)))
    stoi = {c: i for i, c in enumerate(chars)}
    n = min(len(line) for line in lines)
    return torch.tensor([[stoi[c] for c in line[:n]] for line in lines]), len(chars)


@torch.no_grad()
def fill_in(model, ids, mask_id, every=6):
    """Hide one character in six and let the model fill the gaps."""
    model.eval()
    right = n = 0
    for offset in range(every):
        hidden = torch.zeros_like(ids, dtype=torch.bool)
        hidden[:, offset::every] = True
        guess = model(ids.masked_fill(hidden, mask_id)).argmax(-1)
        right += (guess[hidden] == ids[hidden]).sum().item()
        n += int(hidden.sum())
    return right / n


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--lr", type=float, default=2e-3)
    ap.add_argument("--epochs", type=int, default=12)
    ap.add_argument("--batch", type=int, default=64)
    a = ap.parse_args()
    torch.manual_seed(10)
    ids, n_chars = load_corpus(Path(__file__).parent / "corpus.txt")
    train, val = ids[:2600], ids[2600:]
    mask_id = n_chars
    model = CharBert(n_chars + 1, ids.shape[1])
    masker = Masker(n_chars, mask_id)
    opt = torch.optim.AdamW(model.parameters(), lr=a.lr, weight_decay=0.01)
    steps = a.epochs * (len(train) // a.batch)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, a.lr, total_steps=steps, pct_start=0.15)
    for epoch in range(1, a.epochs + 1):
        model.train()
        total = 0.0
        batches = torch.randperm(len(train)).split(a.batch)[: len(train) // a.batch]
        for b in batches:
            x, y = masker(train[b])
            loss = F.cross_entropy(model(x).flatten(0, 1), y.flatten(), ignore_index=IGNORE)
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            sched.step()
            total += loss.item()
        if epoch % 2 == 0:
            print(f"epoch {epoch:2d}  masked loss {total / len(batches):.4f}  fill-in accuracy {fill_in(model, val, mask_id):.3f}")


if __name__ == "__main__":
    main()
