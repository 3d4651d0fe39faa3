import math

import torch


class Trainer:
    def __init__(self, model, criterion, opt, cfg):
        self.model, self.criterion, self.opt, self.cfg = model, criterion, opt, cfg
        self.epoch = 0
        self.gen = torch.Generator().manual_seed(cfg["seed"])

    def lr_at(self, epoch):
        w, n = self.cfg["warmup_epochs"], self.cfg["epochs"]
        if epoch < w:
            return self.cfg["lr"] * (epoch + 1) / (w + 1)
        return self.cfg["lr"] * 0.5 * (1 + math.cos(math.pi * (epoch - w) / (n - w)))

    def run_epoch(self, data):
        x, y, o = data
        micro, accum = self.cfg["micro_batch"], self.cfg["accumulate"]
        self.opt.lr = self.lr_at(self.epoch)
        self.model.train()
        sums, seen = torch.zeros(3), 0
        for group in torch.randperm(len(x), generator=self.gen).split(micro * accum):
            for idx in group.split(micro):
                lh, oh = self.model(x[idx])
                loss, a, b = self.criterion(lh, oh, y[idx], o[idx])
                (loss * len(idx) / len(group)).backward()
                sums += torch.stack([loss.detach(), a, b]) * len(idx)
                seen += len(idx)
            self.opt.apply()
            self.opt.clear()
        self.epoch += 1
        return (sums / seen).tolist()

    @torch.no_grad()
    def evaluate(self, data, unit):
        self.model.eval()
        lh, oh = self.model(data[0])
        rmse = (lh - data[1]).pow(2).mean().sqrt().item() * unit
        acc = ((oh > 0).float() == data[2]).float().mean().item()
        return rmse, acc

    def state_dict(self):
        return {"model": self.model.state_dict(), "criterion": self.criterion.state_dict(),
                "opt": self.opt.state_dict(), "epoch": self.epoch, "gen": self.gen.get_state()}

    def load_state_dict(self, sd):
        self.model.load_state_dict(sd["model"])
        self.criterion.load_state_dict(sd["criterion"])
        self.opt.load_state_dict(sd["opt"])
        self.epoch = sd["epoch"]
        self.gen.set_state(sd["gen"])
