"""Character language model on the harbour stories."""
import math
import time
from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass
class Settings:
    corpus: str = "harbour.txt"
    context: int = 64
    batch: int = 16
    hidden: int = 96
    embed: int = 32
    epochs: int = 14
    lr: float = 2e-3
    clip: float = 1.0
    seed: int = 31
    sample_prompts: tuple = field(default=("the old ", "before "))


class CharLM(nn.Module):
    def __init__(self, vocab, embed, hidden):
        super().__init__()
        self.embed = nn.Embedding(vocab, embed)
        self.rnn = nn.GRU(embed, hidden, batch_first=True)
        self.out = nn.Linear(hidden, vocab)

    def forward(self, x, state=None):
        h, state = self.rnn(self.embed(x), state)
        return self.out(h), state


class Corpus:
    def __init__(self, path, share=0.9):
        text = open(path).read()
        self.chars = sorted(set(text))
        self.index = {c: i for i, c in enumerate(self.chars)}
        ids = torch.tensor([self.index[c] for c in text])
        cut = int(share * len(ids))
        self.train, self.valid = ids[:cut], ids[cut:]

    def chunks(self, part, context, batch, shuffle):
        ids = self.train if part == "train" else self.valid
        n = (len(ids) - 1) // context
        x = ids[:n * context].view(n, context)
        y = ids[1:n * context + 1].view(n, context)
        order = torch.randperm(n) if shuffle else torch.arange(n)
        for idx in order.split(batch):
            yield x[idx], y[idx]


class LMTrainer:
    def __init__(self, settings):
        self.s = settings
        torch.manual_seed(settings.seed)
        self.corpus = Corpus(settings.corpus)
        self.model = CharLM(len(self.corpus.chars), settings.embed, settings.hidden)
        self.opt = torch.optim.Adam(self.model.parameters(), lr=settings.lr)
        self.loss_fn = nn.CrossEntropyLoss()

    def loss(self, x, y):
        logits, _ = self.model(x)
        return self.loss_fn(logits.flatten(0, 1), y.flatten())

    def validate(self):
        self.model.eval()
        tot = n = 0
        with torch.no_grad():
            for x, y in self.corpus.chunks("valid", self.s.context, 64, shuffle=False):
                tot += self.loss(x, y).item() * len(x)
                n += len(x)
        self.model.train()
        return tot / n

    def fit(self):
        history = []
        step = 0
        for epoch in range(self.s.epochs):
            t0 = time.time()
            self.model.train()
            window = []
            for x, y in self.corpus.chunks("train", self.s.context, self.s.batch, shuffle=True):
                self.opt.zero_grad()
                loss = self.loss(x, y)
                loss.backward()
                nn.utils.clip_grad_norm_(self.model.parameters(), self.s.clip)
                self.opt.step()
                window.append(loss.item())
                step += 1
                if step % 10 == 0:
                    print(f"step {step:4d} loss {sum(window[-10:]) / 10:.3f}")
            v = self.validate()
            history.append({"epoch": epoch, "train": sum(window) / len(window), "valid": v})
            print(f"epoch {epoch} valid {v:.3f} ppl {math.exp(v):.2f} ({time.time() - t0:.1f} s)")
            return history

    @torch.no_grad()
    def sample(self, prompt, n=60):
        self.model.eval()
        ids = torch.tensor([[self.corpus.index[c] for c in prompt]])
        logits, state = self.model(ids)
        text = prompt
        for _ in range(n):
            nxt = torch.multinomial(logits[:, -1].div(0.8).softmax(-1), 1)
            text += self.corpus.chars[nxt.item()]
            logits, state = self.model(nxt, state)
        return text


if __name__ == "__main__":
    trainer = LMTrainer(Settings())
    history = trainer.fit()
    best = min(h["valid"] for h in history)
    print(f"best valid loss {best:.3f}")
    for prompt in trainer.s.sample_prompts:
        print(repr(trainer.sample(prompt)))
