"""Follows single clips through training so that a listener can look into the odd ones."""
import math


class ClipWatch:
    def __init__(self, clip_ids):
        self.clip_ids = set(clip_ids)
        self.latest = {}

    def note(self, step, ids, probs, target):
        for row, clip in enumerate(ids.tolist()):
            if clip not in self.clip_ids:
                continue
            p = [probs[row, c].item() for c in range(probs.shape[1])]
            self.latest[clip] = {
                "step": step,
                "own": p[target[row].item()],
                "entropy": -sum(v * math.log(v + 1e-9) for v in p),
            }

    def worst(self, k=5):
        return sorted(self.latest, key=lambda clip: self.latest[clip]["own"])[:k]
