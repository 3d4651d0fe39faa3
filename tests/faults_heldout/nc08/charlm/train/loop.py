import torch
import torch.nn.functional as F

from .optim import build_optimizer, build_schedule


class Trainer:
    def __init__(self, model, corpus, loop_cfg, optim_cfg, seed):
        self.model, self.corpus, self.cfg = model, corpus, loop_cfg
        self.clip_norm = optim_cfg["clip_norm"]
        self.optimizer = build_optimizer(model, optim_cfg)
        self.schedule = build_schedule(self.optimizer, optim_cfg, loop_cfg["steps"])
        self.generator = torch.Generator().manual_seed(seed)

    def step(self):
        total = 0.0
        for _ in range(self.cfg["accumulate"]):
            x, y = self.corpus.sample(self.cfg["batch_size"], self.generator)
            logits = self.model(x)
            loss = F.cross_entropy(logits.flatten(0, 1), y.flatten(),
                                   label_smoothing=self.cfg["label_smoothing"]) / self.cfg["accumulate"]
            loss.backward()
            total += loss.item()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.clip_norm)
        self.optimizer.step()
        self.schedule.step()
        self.optimizer.zero_grad(set_to_none=True)
        return total

    @torch.no_grad()
    def evaluate(self):
        self.model.eval()
        x, y = self.corpus.validation()
        nll = F.cross_entropy(self.model(x).flatten(0, 1), y.flatten()).item()
        self.model.train()
        return nll

    def run(self):
        self.model.train()
        running = 0.0
        for step in range(1, self.cfg["steps"] + 1):
            running += self.step()
            if step % self.cfg["eval_every"] == 0:
                print(f"step {step:4d}  train {running / self.cfg['eval_every']:.4f}  "
                      f"val nll {self.evaluate():.4f}  lr {self.schedule.get_last_lr()[0]:.2e}")
                running = 0.0

    @torch.no_grad()
    def generate(self, length):
        self.model.eval()
        ids = self.corpus.val[:1][None]
        for _ in range(length):
            logits = self.model(ids[:, -self.corpus.context:])[:, -1]
            ids = torch.cat([ids, torch.multinomial(logits.softmax(-1), 1, generator=self.generator)], dim=1)
        return self.corpus.decode(ids[0].tolist())
