from pathlib import Path
import time

import torch

from dataset import Corpus
from tagger import NoteTagger

SEED, EPOCHS, BATCH, LR = 1234, 6, 24, 0.4


@torch.no_grad()
def evaluate(model, corpus):
    """Token accuracy on the dev notes, overall and on entity tokens only."""
    model.eval()
    good = total = ent_good = ent_total = 0
    for tokens, tags, lengths in corpus.batches("dev", 100):
        pred = model(tokens).argmax(-1)
        inside = torch.arange(tokens.shape[1])[None, :] < lengths[:, None]
        hit = (pred == tags) & inside
        ent = inside & (tags != 0)
        good += hit.sum().item()
        total += inside.sum().item()
        ent_good += (hit & ent).sum().item()
        ent_total += ent.sum().item()
    return good / total, ent_good / ent_total


def main():
    torch.manual_seed(SEED)
    corpus = Corpus(Path(__file__).parent)
    gen = torch.Generator().manual_seed(SEED)
    model = NoteTagger(corpus.vocab_size, len(corpus.labels), corpus.pad)
    opt = torch.optim.SGD(model.parameters(), lr=LR, momentum=0.9)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, EPOCHS, eta_min=LR / 50)
    t0 = time.time()
    for epoch in range(EPOCHS):
        model.train()
        losses = []
        for tokens, tags, _ in corpus.batches("train", BATCH, gen):
            loss = model.loss(tokens, tags)
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            opt.step()
            losses.append(loss.item())
        sched.step()
        acc, ent = evaluate(model, corpus)
        print(f"epoch {epoch}: loss={sum(losses) / len(losses):.4f} dev_token_acc={acc:.4f} "
              f"dev_entity_recall={ent:.4f} ({time.time() - t0:.1f}s)")


if __name__ == "__main__":
    main()
