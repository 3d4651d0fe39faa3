"""Character language model on short harbour reports."""
import math
import pathlib

import torch
import torch.nn as nn

HERE = pathlib.Path(__file__).parent
SEQ, BATCH, STEPS = 48, 32, 450


class Vocab:
    def __init__(self, text):
        self.chars = sorted(set(text))
        self.index = {c: i for i, c in enumerate(self.chars)}

    def encode(self, text):
        return torch.tensor([self.index[c] for c in text])

    def decode(self, ids):
        return "".join(self.chars[i] for i in ids)


class CharModel(nn.Module):
    def __init__(self, n_vocab, emb=32, hidden=96):
        super().__init__()
        self.emb = nn.Embedding(n_vocab, emb)
        self.gru = nn.GRU(emb, hidden, batch_first=True)
        self.norm = nn.LayerNorm(hidden)
        self.proj = nn.Linear(hidden, n_vocab)

    def forward(self, ids, state=None):
        h, state = self.gru(self.emb(ids), state)
        return self.proj(self.norm(h)).softmax(dim=-1), state

    @torch.no_grad()
    def generate(self, vocab, prompt, n):
        ids = vocab.encode(prompt)[None]
        out, state = self(ids)
        chars = []
        for _ in range(n):
            nxt = out[:, -1].argmax(-1, keepdim=True)
            chars.append(nxt.item())
            out, state = self(nxt, state)
        return prompt + vocab.decode(chars)


def batches(stream, gen):
    while True:
        starts = torch.randint(0, len(stream) - SEQ - 1, (BATCH,), generator=gen)
        block = torch.stack([stream[s:s + SEQ + 1] for s in starts.tolist()])
        yield block[:, :-1], block[:, 1:]


@torch.no_grad()
def evaluate(model, stream, loss_fn):
    model.eval()
    n = (len(stream) - 1) // SEQ
    x = stream[:n * SEQ].view(n, SEQ)
    y = stream[1:n * SEQ + 1].view(n, SEQ)
    out, _ = model(x)
    loss = loss_fn(out.flatten(0, 1), y.flatten()).item()
    acc = (out.argmax(-1) == y).float().mean().item()
    model.train()
    return loss, acc


def main():
    torch.manual_seed(23)
    text = (HERE / "corpus.txt").read_text()
    vocab = Vocab(text)
    ids = vocab.encode(text)
    cut = int(0.9 * len(ids))
    train, valid = ids[:cut], ids[cut:]

    model = CharModel(len(vocab.chars))
    loss_fn = nn.CrossEntropyLoss()
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    stream = batches(train, torch.Generator().manual_seed(1))
    for step in range(1, STEPS + 1):
        x, y = next(stream)
        out, _ = model(x)
        loss = loss_fn(out.flatten(0, 1), y.flatten())
        opt.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        if step % 50 == 0:
            vl, va = evaluate(model, valid, loss_fn)
            print(f"{step:4d} train {loss.item():.3f} valid {vl:.3f} ppl {math.exp(vl):.2f} next-char acc {va:.3f}")
    print(model.generate(vocab, "the ferry ", 60))


if __name__ == "__main__":
    main()
