import json


class Telemetry:
    """Appends one record per optimisation step: loss, gradient norm and gradient histograms."""

    def __init__(self, path, bins, limit):
        self.file = open(path, "w")
        self.bins = bins
        self.limit = limit

    def histogram(self, grad):
        counts = [0] * (self.bins + 2)
        width = 2 * self.limit / self.bins
        for g in grad.flatten():
            k = int((g.item() + self.limit) // width) + 1
            counts[min(max(k, 0), self.bins + 1)] += 1
        return counts

    def log(self, step, loss, model):
        record = {"step": step, "loss": loss.item(), "grads": {}}
        total = 0.0
        for name, p in model.named_parameters():
            norm = p.grad.norm().item()
            total += norm ** 2
            record["grads"][name] = {"norm": norm, "hist": self.histogram(p.grad)}
        record["grad_norm"] = total ** 0.5
        self.file.write(json.dumps(record) + "\n")
        self.file.flush()

    def close(self):
        self.file.close()
