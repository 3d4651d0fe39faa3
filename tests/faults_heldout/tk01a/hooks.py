"""Handlers that can be attached to engine events from the config file."""
import torch


class ClearGrads:
    def __call__(self, engine):
        engine.optimizer.zero_grad()


class ClipGrads:
    def __init__(self, max_norm):
        self.max_norm = max_norm

    def __call__(self, engine):
        torch.nn.utils.clip_grad_norm_(engine.model.parameters(), self.max_norm)


class Step:
    def __call__(self, engine):
        engine.optimizer.step()


class Report:
    def __init__(self, loader, every=1):
        self.loader = loader
        self.every = every

    def __call__(self, engine):
        if engine.epoch % self.every:
            return
        loss, acc = engine.evaluate(self.loader)
        train_loss = sum(engine.losses) / len(engine.losses)
        print(f"epoch {engine.epoch:3d}  train {train_loss:.4f}  "
              f"valid {loss:.4f}  accuracy {acc:.3f}", flush=True)


def build(entry, **context):
    opts = {k: v for k, v in entry.items() if k not in ("name", "on")}
    kinds = {
        "clear_grads": lambda: ClearGrads(**opts),
        "clip_grads": lambda: ClipGrads(**opts),
        "step": lambda: Step(**opts),
        "report": lambda: Report(context["valid_loader"], **opts),
    }
    return kinds[entry["name"]]()
