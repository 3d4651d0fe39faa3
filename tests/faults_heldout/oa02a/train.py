from pathlib import Path

import torch

from charlm.corpus import load_vocab, loaders
from charlm.model import CharGRU
from charlm.objective import bits_per_char, loss_fn

ROOT = Path(__file__).resolve().parent


@torch.no_grad()
def sample(model, itos, n=6, max_len=24):
    model.eval()
    names = []
    for _ in range(n):
        ids = [1]
        while len(ids) < max_len:
            logits = model(torch.tensor([ids]))[0, -1]
            nxt = torch.multinomial(logits.softmax(-1), 1).item()
            if nxt in (0, 2):
                break
            ids.append(nxt)
        names.append("".join(itos[i] for i in ids[1:]))
    return names


def main():
    torch.manual_seed(5)
    vocab = load_vocab(ROOT / "vocab.json")
    train, valid = loaders(ROOT / "names.npz", 64, torch.Generator().manual_seed(5))
    model = CharGRU(len(vocab))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2, momentum=0.9, nesterov=True)
    epochs = 7
    sched = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.25, total_steps=epochs * len(train), pct_start=0.15)

    for epoch in range(1, epochs + 1):
        model.train()
        running = 0.0
        for ids, labels in train:
            optimizer.zero_grad(set_to_none=True)
            loss = loss_fn(model(ids), labels)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            sched.step()
            running += loss.item()
        print(f"[{epoch}/{epochs}] train nll {running / len(train):.3f}  valid bpc {bits_per_char(model, valid):.3f}")

    print("samples:", ", ".join(sample(model, vocab)))


if __name__ == "__main__":
    main()
