"""Character model over synthetic log lines."""
import random

import torch
import torch.nn.functional as F

from lm import CharLM

USERS = ["anna", "bob", "carla", "dmitri", "eve", "farid"]
VERBS = {"anna": "reads", "bob": "writes", "carla": "opens", "dmitri": "closes", "eve": "deletes", "farid": "copies"}
CTX = 32


def corpus(n, seed):
    r = random.Random(seed)
    out = []
    for _ in range(n):
        u = r.choice(USERS)
        k = r.randint(10, 99)
        out.append(f"{u} {VERBS[u]} file{k} code{(k * 7) % 10}{k % 3}")
    return "\n".join(out)


def main():
    torch.manual_seed(5)
    text = corpus(4000, 1)
    chars = sorted(set(text))
    stoi = {c: i for i, c in enumerate(chars)}
    data = torch.tensor([stoi[c] for c in text])
    cut = int(len(data) * 0.9)
    train, val = data[:cut], data[cut:]
    model = CharLM(len(chars), CTX)
    opt = torch.optim.AdamW(model.parameters(), lr=3e-3, betas=(0.9, 0.98))
    warm = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: min(1.0, (s + 1) / 40))

    def batch(src, n):
        at = torch.randint(len(src) - CTX - 1, (n,))
        rows = torch.stack([src[i:i + CTX + 1] for i in at])
        return rows[:, :-1], rows[:, 1:]

    def loss_on(src, n):
        x, y = batch(src, n)
        return F.cross_entropy(model(x).flatten(0, 1), y.flatten())

    @torch.no_grad()
    def sample(n=70):
        model.eval()
        seq = val[:CTX - 4].tolist()
        for _ in range(n):
            logits = model(torch.tensor([seq[-CTX:]]))[0, -1]
            seq.append(int(logits.argmax()))
        model.train()
        return "".join(chars[i] for i in seq)

    for step in range(1, 501):
        loss = loss_on(train, 24)
        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        warm.step()
        if step % 50 == 0:
            model.eval()
            with torch.no_grad():
                v = loss_on(val, 64).item()
            model.train()
            print(f"step {step} train {loss.item():.4f} val {v:.4f}")
    print("--- sample\n" + sample())


if __name__ == "__main__":
    main()
