"""Semi-supervised node classification with a two-layer GCN."""
import argparse
import logging

import torch
import torch.nn.functional as F

from graphdata import citation_like_graph, gcn_norm
from layers import GCN

log = logging.getLogger("gcn")


class NodeClassifier:
    def __init__(self, args):
        self.x, adj, self.y, self.split = citation_like_graph()
        self.a_hat = gcn_norm(adj)
        self.model = GCN(self.x.shape[1], args.width, int(self.y.max()) + 1, args.dropout)
        self.opt = torch.optim.Adam(self.model.parameters(), lr=args.lr, weight_decay=5e-4)

    def train_step(self):
        self.model.train()
        idx = self.split["train"]
        loss = F.cross_entropy(self.model(self.x, self.a_hat)[idx], self.y[idx])
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()

    @torch.no_grad()
    def accuracy(self, *parts):
        self.model.eval()
        pred = self.model(self.x, self.a_hat).argmax(-1)
        return [(pred[self.split[p]] == self.y[self.split[p]]).float().mean().item() for p in parts]


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=250)
    ap.add_argument("--width", type=int, default=32)
    ap.add_argument("--dropout", type=float, default=0.6)
    ap.add_argument("--lr", type=float, default=0.01)
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    torch.manual_seed(0)

    job = NodeClassifier(args)
    best = (0.0, 0.0)
    for step in range(1, args.steps + 1):
        loss = job.train_step()
        if step % 10 == 0:
            tr, va, te = job.accuracy("train", "val", "test")
            best = max(best, (va, te))
            if step % 50 == 0:
                log.info("step %d loss %.4f train %.3f val %.3f test %.3f", step, loss, tr, va, te)
    log.info("best val %.3f, test there %.3f", *best)


if __name__ == "__main__":
    main()
