import random
import tomllib
from pathlib import Path

import torch
import torch.nn.functional as F

from model import IntentModel, select_trainable

ROOT = Path(__file__).resolve().parent


def load_vectors(path):
    words, rows = ["<pad>"], []
    for line in path.read_text().splitlines():
        word, *values = line.split()
        words.append(word)
        rows.append([float(v) for v in values])
    table = torch.tensor([[0.0] * len(rows[0])] + rows)
    return {w: k for k, w in enumerate(words)}, table


def load_commands(path, vocab):
    samples = []
    for line in path.read_text().splitlines():
        label, text = line.split("\t")
        samples.append((torch.tensor([vocab[w] for w in text.split()]), label))
    names = sorted({label for _, label in samples})
    return [(tokens, names.index(label)) for tokens, label in samples], names


def batches(samples, size):
    for k in range(0, len(samples), size):
        part = samples[k:k + size]
        tokens = torch.nn.utils.rnn.pad_sequence([t for t, _ in part], batch_first=True)
        yield tokens, torch.tensor([len(t) for t, _ in part]), torch.tensor([y for _, y in part])


@torch.no_grad()
def evaluate(model, samples):
    model.eval()
    loss, hits = 0.0, 0
    for tokens, lengths, y in batches(samples, 128):
        out = model(tokens, lengths)
        loss += F.cross_entropy(out, y, reduction="sum").item()
        hits += (out.argmax(1) == y).sum().item()
    return loss / len(samples), hits / len(samples)


def main():
    cfg = tomllib.loads((ROOT / "settings.toml").read_text())
    train_cfg = cfg["train"]
    torch.manual_seed(train_cfg["seed"])
    rng = random.Random(train_cfg["seed"])
    vocab, vectors = load_vectors(ROOT / cfg["data"]["vectors"])
    samples, names = load_commands(ROOT / cfg["data"]["commands"], vocab)
    samples = sorted(samples, key=lambda s: (s[0].tolist(), s[1]))
    texts = sorted({tuple(t.tolist()) for t, _ in samples})
    rng.shuffle(texts)
    held = set(texts[:int(len(texts) * cfg["data"]["val_share"])])
    train = [s for s in samples if tuple(s[0].tolist()) not in held]
    val = [s for s in samples if tuple(s[0].tolist()) in held]
    print(f"{len(train)} train / {len(val)} val sentences, {len(vocab)} words, {len(names)} classes")

    model = IntentModel(vectors, cfg["model"]["hidden"], len(names))
    optimizer = torch.optim.Adam(select_trainable(model, train_cfg["trainable"]), lr=train_cfg["lr"])
    for epoch in range(1, train_cfg["epochs"] + 1):
        model.train()
        rng.shuffle(train)
        total = 0.0
        for tokens, lengths, y in batches(train, train_cfg["batch_size"]):
            loss = F.cross_entropy(model(tokens, lengths), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item() * len(y)
        val_loss, acc = evaluate(model, val)
        print(f"epoch {epoch:2d}  train {total / len(train):.4f}  val {val_loss:.4f}  acc {acc:.3f}")
    torch.save({"model": model.state_dict(), "classes": names}, ROOT / "intent.pt")


if __name__ == "__main__":
    main()
