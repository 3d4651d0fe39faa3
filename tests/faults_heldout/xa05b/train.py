from pathlib import Path

import torch
import yaml

from tagger.corpus import Corpus, collate
from tagger.criteria import CRITERIA
from tagger.net import TagNet

HERE = Path(__file__).parent


def micro_f1(logits, y, threshold):
    hit = (logits.sigmoid() > threshold).float()
    tp = (hit * y).sum()
    return (2 * tp / (hit.sum() + y.sum())).item(), ((hit == y).all(1)).float().mean().item()


def run(cfg):
    torch.manual_seed(cfg["seed"])
    corpus = Corpus(HERE / cfg["dataset"])
    criterion = CRITERIA[cfg["criterion"]]
    net = TagNet(len(corpus.index), len(corpus.tags), **cfg["model"])
    opt = torch.optim.Adam(net.parameters(), lr=cfg["optim"]["lr"])
    docs, y = corpus.train
    val_batch = collate(corpus.val[0])
    for epoch in range(cfg["optim"]["epochs"]):
        net.train()
        losses = []
        for idx in torch.randperm(len(docs)).split(cfg["optim"]["batch_size"]):
            logits = net(*collate([docs[i] for i in idx.tolist()]))
            loss = criterion(logits, y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            losses.append(loss.item())
        if (epoch + 1) % 3 == 0:
            net.eval()
            with torch.no_grad():
                f1, exact = micro_f1(net(*val_batch), corpus.val[1], cfg["threshold"])
            print(f"epoch={epoch + 1} loss={sum(losses) / len(losses):.4f} micro_f1={f1:.3f} exact={exact:.3f}", flush=True)


if __name__ == "__main__":
    with open(HERE / "config.yaml") as fh:
        run(yaml.safe_load(fh))
