import json
from pathlib import Path

import numpy as np
import torch

from src.nets import EventTransformer
from src.trainer import Trainer

ROOT = Path(__file__).resolve().parent


def main():
    cfg = json.loads((ROOT / "config.json").read_text())
    torch.manual_seed(cfg["seed"])
    vectors = torch.from_numpy(np.load(ROOT / "data" / "event_vectors.npy"))
    logs = np.load(ROOT / "data" / "event_logs.npz")
    x, y = torch.from_numpy(logs["events"]).long(), torch.from_numpy(logs["outcome"]).long()
    n = int(0.8 * len(y))
    model = EventTransformer(vectors, x.shape[1], int(y.max()) + 1)
    Trainer(model, cfg).fit((x[:n], y[:n]), (x[n:], y[n:]))


if __name__ == "__main__":
    main()
