"""Topic classifier for support tickets (bag of embedded sub-words)."""
import numpy as np
import torch
from torch import nn
import torch.nn.functional as F

EPOCHS = 4
LR = 4e-3
DIM = 24


class TicketModel(nn.Module):
    def __init__(self, vocab, topics):
        super().__init__()
        self.bag = nn.EmbeddingBag(vocab, DIM, mode="mean")
        nn.init.normal_(self.bag.weight, std=1.0)
        self.body = nn.Sequential(
            nn.LayerNorm(DIM), nn.Linear(DIM, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(),
        )
        self.out = nn.Linear(64, topics)

    def forward(self, tokens, starts):
        return self.out(self.body(self.bag(tokens, starts)))


class Corpus:
    """Packed corpus as written by the export job.

    `cuts` are the positions at which an epoch is cut into steps; they are
    produced together with the corpus from the memory budget of the job.
    """

    def __init__(self, path):
        z = np.load(path)
        self.tokens = torch.from_numpy(z["tokens"].astype(np.int64))
        self.offsets = torch.from_numpy(z["offsets"].astype(np.int64))
        self.topic = torch.from_numpy(z["topic"].astype(np.int64))
        self.n_train = int(z["n_train"])
        self.cuts = z["cuts"].tolist()

    def gather(self, docs):
        lo, hi = self.offsets[docs], self.offsets[docs + 1]
        length = hi - lo
        starts = torch.cumsum(length, 0) - length
        pos = torch.arange(int(length.sum())) - torch.repeat_interleave(starts, length)
        return self.tokens[torch.repeat_interleave(lo, length) + pos], starts, self.topic[docs]

    def epoch(self, gen):
        order = torch.randperm(self.n_train, generator=gen)
        for lo, hi in zip(self.cuts[:-1], self.cuts[1:]):
            yield self.gather(order[lo:hi])

    def dev(self):
        return self.gather(torch.arange(self.n_train, len(self.topic)))


@torch.no_grad()
def score(model, batch):
    model.eval()
    tokens, starts, topic = batch
    logits = model(tokens, starts)
    model.train()
    return F.cross_entropy(logits, topic).item(), (logits.argmax(1) == topic).float().mean().item()


def main():
    torch.manual_seed(17)
    gen = torch.Generator().manual_seed(5)
    corpus = Corpus("corpus.npz")
    model = TicketModel(int(corpus.tokens.max()) + 1, int(corpus.topic.max()) + 1)
    opt = torch.optim.Adam(model.parameters(), lr=LR)
    dev = corpus.dev()
    for ep in range(EPOCHS):
        total = seen = 0
        for tokens, starts, topic in corpus.epoch(gen):
            loss = F.cross_entropy(model(tokens, starts), topic)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(topic)
            seen += len(topic)
        dl, da = score(model, dev)
        print(f"epoch {ep + 1:2d}  loss {total / seen:.4f}  dev loss {dl:.4f}  dev acc {da:.3f}")


if __name__ == "__main__":
    main()
