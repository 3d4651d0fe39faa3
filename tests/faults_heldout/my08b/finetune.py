"""Fine-tune the pre-trained report encoder as an entity tagger on a small annotated set."""
import argparse
import json
import random

import torch

from tag_model import Tagger


def read_reports(path, vocab, tag_ids):
    """one report per line: word|TAG word|TAG ..."""
    out = []
    with open(path, encoding="utf-8") as fh:
        for line in fh:
            pairs = [tok.rsplit("|", 1) for tok in line.split()]
            out.append(([vocab.get(w, 1) for w, _ in pairs], [tag_ids[t] for _, t in pairs]))
    return out


def collate(batch):
    n = max(len(ids) for ids, _ in batch)
    ids = torch.tensor([i + [0] * (n - len(i)) for i, _ in batch])
    tags = torch.tensor([t + [-1] * (n - len(t)) for _, t in batch])
    return ids, tags


@torch.no_grad()
def evaluate(model, reports, other):
    """token accuracy and micro F1 over the entity tags"""
    model.eval()
    ids, tags = collate(reports)
    pred, real = model(ids).argmax(-1), tags >= 0
    acc = (pred == tags)[real].float().mean().item()
    hit = ((pred == tags) & real & (tags != other)).sum().item()
    n_pred, n_true = ((pred != other) & real).sum().item(), ((tags != other) & real).sum().item()
    return acc, 2 * hit / max(n_pred + n_true, 1)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--encoder", default="encoder.pt")
    ap.add_argument("--epochs", type=int, default=40)
    ap.add_argument("--batch-size", type=int, default=8)
    ap.add_argument("--lr-head", type=float, default=5e-3)
    ap.add_argument("--lr-encoder", type=float, default=5e-4)
    ap.add_argument("--seed", type=int, default=1)
    args = ap.parse_args()
    torch.manual_seed(args.seed)
    random.seed(args.seed)

    with open("vocab.json") as fh:
        meta = json.load(fh)
    vocab = {w: i for i, w in enumerate(meta["words"])}
    tag_ids = {t: i for i, t in enumerate(meta["tags"])}
    data = {s: read_reports(f"{s}.txt", vocab, tag_ids) for s in ("train", "dev", "test")}

    model = Tagger(len(vocab), len(tag_ids))
    state = torch.load(args.encoder, map_location="cpu", weights_only=True)
    model.load_state_dict(state, strict=False)  # the tag head is new
    optimizer = torch.optim.AdamW([
        {"params": model.encoder.parameters(), "lr": args.lr_encoder},
        {"params": model.head.parameters(), "lr": args.lr_head},
    ], weight_decay=0.01)

    for epoch in range(1, args.epochs + 1):
        model.train()
        order = random.sample(data["train"], len(data["train"]))
        total, steps = 0.0, 0
        for k in range(0, len(order), args.batch_size):
            ids, tags = collate(order[k:k + args.batch_size])
            loss, _ = model(ids, tags)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total, steps = total + loss.item(), steps + 1
        if epoch % 4 == 0:
            acc, f1 = evaluate(model, data["dev"], tag_ids["O"])
            print(f"epoch {epoch:2d}  loss {total / steps:.4f}  dev acc {acc:.3f}  entity F1 {f1:.3f}")

    acc, f1 = evaluate(model, data["test"], tag_ids["O"])
    print(f"test acc {acc:.3f}  entity F1 {f1:.3f}")


if __name__ == "__main__":
    main()
