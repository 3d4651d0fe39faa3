import argparse
import logging
from pathlib import Path

import torch

from mixer.data import digit_loaders
from mixer.net import MixerConfig, build_mixer
from mixer.precision import Precision
from mixer.settings import Settings
from mixer.loop import fit, score

log = logging.getLogger("train")


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("settings", nargs="?", default="settings.ini")
    p.add_argument("--seed", type=int, default=21)
    return p.parse_args()


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s %(message)s", datefmt="%H:%M:%S")
    args = parse()
    torch.manual_seed(args.seed)
    st = Settings.read(Path(__file__).parent / args.settings)
    precision = Precision(st.weights, st.compute)
    train, val = digit_loaders(st.batch_size, args.seed)
    model = precision.prepare(build_mixer(MixerConfig(dim=st.dim, depth=st.depth)))
    log.info("%d parameters, weights %s, compute %s", sum(p.numel() for p in model.parameters()), st.weights, st.compute)
    fit(model, train, val, st, precision)
    log.info("final accuracy %.4f", score(model, val, precision)[1])
