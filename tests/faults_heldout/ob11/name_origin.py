import argparse
import pathlib
import random

import torch
import torch.nn as nn

HERE = pathlib.Path(__file__).resolve().parent
PAD = 0


def read_names(path):
    pairs = [line.rstrip("\n").split("\t") for line in open(path, encoding="utf-8")]
    origins = sorted({o for _, o in pairs})
    alphabet = sorted({c for n, _ in pairs for c in n.lower()})
    stoi = {c: i + 1 for i, c in enumerate(alphabet)}
    data = [(torch.tensor([stoi[c] for c in n.lower()]), origins.index(o)) for n, o in pairs]
    return data, origins, len(stoi) + 1


def collate(items):
    x = nn.utils.rnn.pad_sequence([i[0] for i in items], batch_first=True, padding_value=PAD)
    if x.size(1) < 5:
        x = nn.functional.pad(x, (0, 5 - x.size(1)))
    return x, torch.tensor([i[1] for i in items])


class CharCNN(nn.Module):
    def __init__(self, vocab, classes, emb=24, channels=48):
        super().__init__()
        self.emb = nn.Embedding(vocab, emb, padding_idx=PAD)
        self.convs = nn.ModuleList(nn.Conv1d(emb, channels, k, padding=k // 2) for k in (2, 3, 4))
        self.drop = nn.Dropout(0.2)
        self.out = nn.Linear(3 * channels, classes)

    def forward(self, x):
        h = self.emb(x).transpose(1, 2)
        h = torch.cat([torch.relu(c(h)).amax(-1) for c in self.convs], dim=1)
        return self.out(self.drop(h))


@torch.no_grad()
def evaluate(model, data):
    model.eval()
    x, y = collate(data)
    out = model(x)
    return nn.functional.cross_entropy(out, y).item(), (out.argmax(1) == y).float().mean().item()


def parse_args():
    p = argparse.ArgumentParser(description="Predict the origin of a name from its characters.")
    p.add_argument("--names", default=HERE / "names.tsv")
    p.add_argument("--epochs", type=int, default=12)
    p.add_argument("--micro-batch", type=int, default=8)
    p.add_argument("--accum", type=int, default=8, help="micro batches per optimizer step")
    p.add_argument("--lr", type=float, default=0.1)
    p.add_argument("--seed", type=int, default=23)
    return p.parse_args()


def main():
    args = parse_args()
    random.seed(args.seed)
    torch.manual_seed(args.seed)

    data, origins, vocab = read_names(args.names)
    random.shuffle(data)
    val, train = data[:600], data[600:]

    model = CharCNN(vocab, len(origins))
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=args.epochs)
    print(f"{len(train)} names, {len(origins)} origins, effective batch {args.micro_batch * args.accum}")

    for epoch in range(args.epochs):
        model.train()
        random.shuffle(train)
        batches = [train[i : i + args.micro_batch] for i in range(0, len(train), args.micro_batch)]
        batches = batches[: len(batches) // args.accum * args.accum]
        running = 0.0
        optimizer.zero_grad()
        for step, items in enumerate(batches, 1):
            x, y = collate(items)
            loss = nn.functional.cross_entropy(model(x), y)
            loss.backward()
            running += loss.item()
            if step % args.accum == 0:
                optimizer.step()
                optimizer.zero_grad()
        scheduler.step()
        val_loss, val_acc = evaluate(model, val)
        print(f"epoch {epoch + 1:2d}  train {running / len(batches):.4f}  val {val_loss:.4f}  acc {val_acc:.4f}")


if __name__ == "__main__":
    main()
