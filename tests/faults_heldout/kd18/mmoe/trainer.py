import copy

import torch
import torch.nn.functional as F


def task_losses(out, y):
    return {"energy": F.mse_loss(out["energy"], y["energy"]), "wear": F.mse_loss(out["wear"], y["wear"]),
            "state": F.cross_entropy(out["state"], y["state"])}


class Trainer:
    def __init__(self, model, cfg, train_loader, val_loader):
        self.model, self.cfg, self.train_loader, self.val_loader = model, cfg, train_loader, val_loader
        weights = [p for n, p in model.named_parameters() if not n.startswith("log_var")]
        self.opt = torch.optim.AdamW([{"params": weights, "weight_decay": cfg["weight_decay"]},
                                      {"params": list(model.log_var.values()), "weight_decay": 0.0}], lr=cfg["lr"])
        updates = cfg["epochs"] * -(-len(train_loader) // cfg["accumulate"])
        self.sched = torch.optim.lr_scheduler.OneCycleLR(self.opt, max_lr=cfg["lr"], total_steps=updates, pct_start=0.1)

    def objective(self, losses):
        total = 0.0
        for t, l in losses.items():
            lv = self.model.log_var[t]
            factor = 1.0 if t == "state" else 0.5
            total = total + factor * torch.exp(-lv) * l + 0.5 * lv
        return total

    def train_epoch(self):
        self.model.train()
        acc, n = self.cfg["accumulate"], len(self.train_loader)
        running = 0.0
        self.opt.zero_grad()
        for i, (x, y) in enumerate(self.train_loader):
            loss = self.objective(task_losses(self.model(x), y))
            group = min(acc, n - i // acc * acc)  # the last group may be shorter
            (loss / group).backward()
            running += loss.item()
            if (i + 1) % acc == 0 or i + 1 == n:
                torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.cfg["clip"])
                self.opt.step()
                self.sched.step()
                self.opt.zero_grad()
        return running / n

    @torch.no_grad()
    def evaluate(self, loader):
        self.model.eval()
        sums, n, hit = {}, 0, 0
        for x, y in loader:
            out = self.model(x)
            for t, l in task_losses(out, y).items():
                sums[t] = sums.get(t, 0.0) + l.item() * len(x)
            hit += (out["state"].argmax(1) == y["state"]).sum().item()
            n += len(x)
        res = {t: s / n for t, s in sums.items()}
        return sum(res.values()), {**res, "acc": hit / n}

    def fit(self):
        best, state, bad = float("inf"), None, 0
        for epoch in range(1, self.cfg["epochs"] + 1):
            tr = self.train_epoch()
            score, parts = self.evaluate(self.val_loader)
            if epoch % 3 == 0:
                print(f"epoch {epoch:2d} objective {tr:+.3f} | val " + " ".join(f"{k} {v:.3f}" for k, v in parts.items()))
            if score < best:
                best, state, bad = score, copy.deepcopy(self.model.state_dict()), 0
            else:
                bad += 1
                if bad >= self.cfg["patience"]:
                    print("early stop at", epoch)
                    break
        self.model.load_state_dict(state)
