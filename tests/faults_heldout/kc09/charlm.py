"""Next-character model over a short story, context of 8 characters."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

CONTEXT = 8
BATCH = 64
EPOCHS = 5
PEAK = 0.015


class CharMLP(nn.Module):
    def __init__(self, vocab):
        super().__init__()
        self.emb = nn.Embedding(vocab, 12)
        self.fc1 = nn.Linear(12 * CONTEXT, 96)
        self.fc2 = nn.Linear(96, vocab)

    def forward(self, ctx):
        h = self.emb(ctx).flatten(1)
        return self.fc2(torch.relu(self.fc1(h)))


def rate(step, total):
    warm = 20
    if step < warm:
        return PEAK * (step + 1) / warm
    return PEAK * (0.1 + 0.9 * 0.5 * (1 + math.cos(math.pi * (step - warm) / (total - warm))))


def make_optimizer(model, lr):
    return torch.optim.SGD(model.parameters(), lr=lr, momentum=0.95, nesterov=True)


def train_step(model, ctx, nxt, lr):
    optimizer = make_optimizer(model, lr)
    loss = F.cross_entropy(model(ctx), nxt)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def perplexity(model, ctx, nxt):
    model.eval()
    with torch.no_grad():
        return F.cross_entropy(model(ctx), nxt).exp().item()


def sample(model, chars, n=80):
    model.eval()
    stoi = {c: i for i, c in enumerate(chars)}
    out = "the fox "
    with torch.no_grad():
        for _ in range(n):
            c = torch.tensor([[stoi[k] for k in out[-CONTEXT:]]])
            p = F.softmax(model(c)[0], dim=0)
            out += chars[int(torch.multinomial(p, 1))]
    return out


def main():
    torch.manual_seed(33)
    text = open("story.txt").read()
    chars = sorted(set(text))
    data = torch.tensor([chars.index(c) for c in text])
    win = data.unfold(0, CONTEXT + 1, 1)
    cut = int(len(win) * 0.9)
    tr, va = win[:cut], win[cut + CONTEXT:]
    model = CharMLP(len(chars))
    per_epoch = math.ceil(cut / BATCH)
    total, step = per_epoch * EPOCHS, 0
    for epoch in range(EPOCHS):
        model.train()
        acc = 0.0
        for b in torch.randperm(cut).split(BATCH):
            acc += train_step(model, tr[b, :-1], tr[b, -1], rate(step, total))
            step += 1
        print(f"epoch {epoch + 1} train loss {acc / per_epoch:.4f} "
              f"val ppl {perplexity(model, va[:, :-1], va[:, -1]):.3f}")
    print(sample(model, chars))


if __name__ == "__main__":
    main()
