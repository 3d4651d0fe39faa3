import logging

import torch

from gan.data import RingMixture
from gan.nets import discriminator, generator
from gan.trainer import GANTrainer

if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
    torch.manual_seed(21)
    GANTrainer(generator(), discriminator(), RingMixture()).fit(steps=2000)
