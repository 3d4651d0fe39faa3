import json
import os


class Recorder:
    """Appends one JSON line per call: scalars plus a per-row weight and gradient summary."""

    def __init__(self, path, every=1):
        self.every = every
        self.fh = open(path, "w")

    @staticmethod
    def _rows(t):
        t = t.detach().reshape(t.shape[0], -1)
        return [(row.abs().mean().item(), row.abs().max().item()) for row in t]

    def log(self, step, model, **scalars):
        if step % self.every:
            return
        entry = {"step": step, **scalars, "weights": {}, "grads": {}}
        for name, p in model.named_parameters():
            entry["weights"][name] = self._rows(p)
            if p.grad is not None:
                entry["grads"][name] = self._rows(p.grad)
        self.fh.write(json.dumps(entry) + "\n")
        self.fh.flush()
        os.fsync(self.fh.fileno())

    def close(self):
        self.fh.close()
