"""Learning to rank recipes for a search query (LETOR file, pairwise loss weighted by the change in gain)."""
import argparse
import configparser
import logging
import warnings

import lightning as L
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)
warnings.filterwarnings("ignore", module="lightning")


def read_letor(path):
    queries = {}
    with open(path) as fh:
        for line in fh:
            rel, qid, *feats = line.split()
            queries.setdefault(qid, []).append([float(rel)] + [float(f.split(":")[1]) for f in feats])
    t = torch.tensor(list(queries.values()))
    return t[..., 1:], t[..., 0]


class PairwiseGainLoss(nn.Module):
    """logistic loss over all ordered pairs of a query, weighted by the difference of the gains 2^rel - 1"""

    def forward(self, scores, rel):
        gain = torch.pow(2.0, rel) - 1
        delta = gain.unsqueeze(2) - gain.unsqueeze(1)
        weight = delta.clamp(min=0)
        diff = scores.unsqueeze(2) - scores.unsqueeze(1)
        per_pair = nn.functional.softplus(-diff) * weight
        return per_pair.sum((1, 2)).div(weight.sum((1, 2)).clamp(min=1)).mean()


def ndcg(scores, rel, k=5):
    disc = 1.0 / torch.log2(torch.arange(2, k + 2, dtype=torch.float))
    gain = torch.pow(2.0, rel) - 1
    dcg = (gain.gather(1, scores.argsort(1, descending=True)[:, :k]) * disc).sum(1)
    best = (gain.sort(1, descending=True).values[:, :k] * disc).sum(1)
    return (dcg[best > 0] / best[best > 0]).mean()


class Ranker(L.LightningModule):
    def __init__(self, n_feat, hidden, opt):
        super().__init__()
        self.opt = opt
        self.scorer = nn.Sequential(
            nn.Linear(n_feat, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, 1, bias=False))
        self.loss = PairwiseGainLoss()
        self.running = []

    def forward(self, x, rel=None):
        scores = self.scorer(x).squeeze(-1)
        return scores if rel is None else (scores, self.loss(scores, rel))

    def training_step(self, batch, _):
        _, loss = self(*batch)
        self.running.append(loss.detach())
        return loss

    def on_validation_epoch_start(self):
        self.val = []

    def validation_step(self, batch, _):
        scores, loss = self(*batch)
        self.val.append((loss, ndcg(scores, batch[1])))

    def on_validation_epoch_end(self):
        if self.running and self.current_epoch % 2 == 0:
            loss, score = (sum(v) / len(v) for v in zip(*self.val))
            train = torch.stack(self.running).mean()
            print(f"epoch {self.current_epoch:3d}  train {train:.4f}  valid {loss:.4f}  NDCG@5 {score:.3f}")
        self.running = []

    def configure_optimizers(self):
        o = self.opt
        optimizer = torch.optim.AdamW(self.parameters(), lr=o.getfloat("lr"), eps=o.getfloat("eps"),
                                      weight_decay=o.getfloat("weight_decay"))
        sched = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, o.getint("epochs"))
        return {"optimizer": optimizer, "lr_scheduler": sched}


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--params", default="params.ini")
    ap.add_argument("--seed", type=int)
    a = ap.parse_args()
    cfg = configparser.ConfigParser()
    cfg.read(a.params)
    opt = cfg["training"]
    L.seed_everything(opt.getint("seed") if a.seed is None else a.seed, verbose=False)

    x, rel = read_letor(cfg["data"]["path"])
    i = cfg["data"].getint("train_queries")
    j = i + cfg["data"].getint("valid_queries")
    x = (x - x[:i].mean((0, 1))) / x[:i].std((0, 1))
    train = DataLoader(TensorDataset(x[:i], rel[:i]), batch_size=opt.getint("queries_per_batch"), shuffle=True)
    valid = DataLoader(TensorDataset(x[i:j], rel[i:j]), batch_size=j - i)

    ranker = Ranker(x.shape[-1], cfg["model"].getint("hidden"), opt)
    trainer = L.Trainer(max_epochs=opt.getint("epochs"), accelerator="cpu", logger=False, enable_checkpointing=False,
                        enable_progress_bar=False, enable_model_summary=False, num_sanity_val_steps=0)
    trainer.fit(ranker, train, valid)

    ranker.eval()
    with torch.no_grad():
        s, r = ranker(x[j:]), rel[j:]
    print(f"test NDCG@5 {ndcg(s, r):.3f}  (random order {ndcg(torch.rand_like(r), r):.3f})")


if __name__ == "__main__":
    main()
