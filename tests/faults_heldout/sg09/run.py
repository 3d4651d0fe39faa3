from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from corpus import WindowStream, fixed_windows, load_text
from lm import ConvLM


@dataclass
class Settings:
    text: str = "corpus.txt"
    valid_share: float = 0.15
    width: int = 48
    windows_per_pass: int = 128
    batch: int = 16
    passes: int = 70
    lr: float = 2e-3
    seed: int = 1234


def evaluate(model, x, y):
    model.eval()
    with torch.no_grad():
        loss = F.cross_entropy(model(x).flatten(0, 1), y.flatten())
    model.train()
    return loss.item()


def main(s=Settings()):
    torch.manual_seed(s.seed)
    vocab, train_ids, valid_ids = load_text(s.text, s.valid_share)
    stream = WindowStream(train_ids, s.width, s.windows_per_pass, s.seed)
    loader = DataLoader(stream, batch_size=s.batch)
    vx, vy = fixed_windows(valid_ids, s.width)

    model = ConvLM(len(vocab))
    opt = torch.optim.AdamW(model.parameters(), lr=s.lr, weight_decay=0.05)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, s.lr, total_steps=s.passes * len(loader), pct_start=0.1)
    print(f"{len(train_ids)} training characters, {len(vocab)} symbols")

    for n in range(1, s.passes + 1):
        total = 0.0
        for x, y in loader:
            loss = F.cross_entropy(model(x).flatten(0, 1), y.flatten())
            opt.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            sched.step()
            total += loss.item()
        if n % 10 == 0 or n == 1:
            print(f"pass {n:3d}  train {total / len(loader):.3f}  valid {evaluate(model, vx, vy):.3f}")

    model.eval()
    start = torch.from_numpy(vocab.encode("the data ")).unsqueeze(0)
    print(repr(vocab.decode(model.sample(start, 60, s.width)[0].tolist())))


if __name__ == "__main__":
    main()
