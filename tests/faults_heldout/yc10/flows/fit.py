import torch
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn


class Fitter:
    def __init__(self, flow, splits, cfg):
        self.flow, self.splits, self.cfg = flow, splits, cfg
        self.opt = torch.optim.Adam(flow.parameters(), cfg.lr)
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(self.opt, cfg.steps, eta_min=cfg.lr * 0.02)
        self.ema = None

    def batches(self):
        x, b = self.splits["train"], self.cfg.batch_size
        while True:
            order = torch.randperm(len(x))
            for i in range(0, len(x) - b + 1, b):
                yield x[order[i:i + b]]

    @torch.no_grad()
    def nll(self, split):
        model = self.ema.module if self.ema is not None else self.flow
        model.eval()
        return -model.log_prob(self.splits[split]).mean().item()

    def run(self):
        window = []
        for step, x in zip(range(1, self.cfg.steps + 1), self.batches()):
            self.flow.train()
            loss = -self.flow.log_prob(x + self.cfg.noise * torch.randn_like(x)).mean()
            self.opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.flow.parameters(), self.cfg.clip)
            self.opt.step()
            self.sched.step()
            if self.ema is None:
                self.ema = AveragedModel(self.flow, multi_avg_fn=get_ema_multi_avg_fn(self.cfg.ema_decay), use_buffers=True)
            self.ema.update_parameters(self.flow)
            window.append(loss.item())
            if step % self.cfg.report_every == 0:
                print(f"{step:5d}  train {sum(window) / len(window):7.3f}  val {self.nll('val'):7.3f}", flush=True)
                window.clear()
