import json
import os

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


class RunLog:
    """Training curves as one JSON document that the dashboard polls."""

    def __init__(self, path="run_log.json"):
        self.path = path
        self.points = []

    def point(self, step, model, **values):
        entry = {"step": step, **values, "weights": {}}
        for name, p in model.named_parameters():
            w = sorted(p.detach().flatten().tolist())
            entry["weights"][name] = [w[int(q * (len(w) - 1))] for q in QUANTILES]
        self.points.append(entry)
        tmp = self.path + ".tmp"
        with open(tmp, "w") as fh:
            json.dump({"points": self.points}, fh, indent=1)
            fh.flush()
            os.fsync(fh.fileno())
        os.replace(tmp, self.path)
