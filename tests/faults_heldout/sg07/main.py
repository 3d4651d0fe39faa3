import argparse

import torch
from torch.utils.data import DataLoader

from gnn import PropertyNet
from molecules import MoleculeFile, collate_dense


def parse():
    p = argparse.ArgumentParser(description="logP regression on small molecules")
    p.add_argument("--train", default="train.jsonl")
    p.add_argument("--valid", default="valid.jsonl")
    p.add_argument("--epochs", type=int, default=24)
    p.add_argument("--batch-size", type=int, default=16)
    p.add_argument("--lr", type=float, default=2e-3)
    p.add_argument("--width", type=int, default=32)
    p.add_argument("--seed", type=int, default=6)
    return p.parse_args()


class Run:
    def __init__(self, args):
        torch.manual_seed(args.seed)
        self.args = args
        train_set, valid_set = MoleculeFile(args.train), MoleculeFile(args.valid)
        self.mu, self.sigma = train_set.target_stats()
        self.train_loader = DataLoader(train_set, args.batch_size, shuffle=True, collate_fn=collate_dense)
        self.valid_loader = DataLoader(valid_set, args.batch_size, collate_fn=collate_dense)
        self.model = PropertyNet(args.width)
        self.opt = torch.optim.Adam(self.model.parameters(), lr=args.lr)
        total = args.epochs * len(self.train_loader)
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(self.opt, T_max=total)

    def loss(self, batch):
        atoms, adj, degree, logp = batch
        pred = self.model(atoms, adj, degree)
        return torch.nn.functional.smooth_l1_loss(pred, (logp - self.mu) / self.sigma), pred

    def fit_epoch(self):
        self.model.train()
        total = 0.0
        for batch in self.train_loader:
            loss, _ = self.loss(batch)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.sched.step()
            total += loss.item()
        return total / len(self.train_loader)

    @torch.no_grad()
    def valid_rmse(self):
        self.model.eval()
        err = []
        for batch in self.valid_loader:
            _, pred = self.loss(batch)
            err.append((pred * self.sigma + self.mu - batch[-1]) ** 2)
        return torch.cat(err).mean().sqrt().item()

    def __call__(self):
        print(f"target sd {self.sigma:.3f}")
        for epoch in range(self.args.epochs):
            loss = self.fit_epoch()
            if epoch % 4 == 3:
                print(f"epoch {epoch + 1:3d}  loss {loss:.4f}  valid rmse {self.valid_rmse():.4f}")


if __name__ == "__main__":
    Run(parse())()
