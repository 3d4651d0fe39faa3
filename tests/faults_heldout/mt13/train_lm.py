import argparse

import numpy as np
import torch

from lm.decoder import Decoder
from lm.fit import train
from lm.source import SecondOrderSource

if __name__ == "__main__":
    ap = argparse.ArgumentParser(description="small language model on a synthetic source")
    ap.add_argument("--symbols", type=int, default=10)
    ap.add_argument("--length", type=int, default=32)
    ap.add_argument("--steps", type=int, default=800)
    ap.add_argument("--lr", type=float, default=4e-3)
    ap.add_argument("--clip", type=float, default=0.05)
    ap.add_argument("--seed", type=int, default=9)
    a = ap.parse_args()
    torch.manual_seed(a.seed)
    src = SecondOrderSource(a.symbols, np.random.default_rng(a.seed))
    data, held = src.sample(6000, a.length), src.sample(400, a.length)
    model = Decoder(a.symbols, a.length)
    train(model, data, held, src.entropy(held.numpy()), a.steps, a.lr, a.clip)
