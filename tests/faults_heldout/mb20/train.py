"""Free-form dates to ISO dates, character by character."""
import argparse

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from translate.model import Translator
from translate.text import Alphabet, collate, read_pairs


def evaluate(model, loader, dst):
    model.eval()
    loss = tokens = exact = n = 0
    with torch.no_grad():
        for s, t_in, t_out in loader:
            z = model(s, t_in)
            loss += F.cross_entropy(z.flatten(0, 1), t_out.flatten(), reduction="sum").item()
            tokens += t_out.numel()
            guess = model.greedy(s, t_out.shape[1])
            exact += sum(dst.decode(a) == dst.decode(b) for a, b in zip(guess.tolist(), t_out.tolist()))
            n += len(s)
    return loss / tokens, exact / n


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", default="dates.txt")
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--lr", type=float, default=4e-3)
    parser.add_argument("--batch", type=int, default=64)
    args = parser.parse_args()

    torch.manual_seed(30)
    pairs = read_pairs(args.data)
    train, val, test = pairs[:3600], pairs[3600:4000], pairs[4000:]
    src, dst = Alphabet([a for a, _ in pairs]), Alphabet([b for _, b in pairs])
    join = collate(src, dst)
    loader = DataLoader(train, args.batch, shuffle=True, collate_fn=join)
    val_loader, test_loader = (DataLoader(p, 200, collate_fn=join) for p in (val, test))

    model = Translator(len(src), len(dst))
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, args.epochs * len(loader))
    for epoch in range(1, args.epochs + 1):
        model.train()
        total = 0.0
        for s, t_in, t_out in loader:
            loss = F.cross_entropy(model(s, t_in).flatten(0, 1), t_out.flatten())
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            sched.step()
            total += loss.item()
        vl, ex = evaluate(model, val_loader, dst)
        print(f"epoch {epoch:2d}: train {total / len(loader):.4f} val {vl:.4f} exact {ex:.3f}")
    loss, exact = evaluate(model, test_loader, dst)
    print(f"test: loss {loss:.4f} exact match {exact:.3f}")
    model.eval()
    for a, b in test[:4]:
        guess = model.greedy(src.encode(a).unsqueeze(0), 11)[0].tolist()
        print(f"  {a:28s} {dst.decode(guess)}   ({b})")
