import configparser
import logging
import os

import numpy as np
import torch

from har.engine import train
from har.io import load_annotations, load_recordings
from har.model import ConvGRU

os.chdir(os.path.dirname(os.path.abspath(__file__)))
logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")

ini = configparser.ConfigParser()
ini.read("har.ini")
paths, opts = ini["paths"], ini["training"]

torch.manual_seed(opts.getint("seed"))
signals = load_recordings(paths["recordings"])
labels, subject, classes = load_annotations(paths["annotations"])

held_out = np.isin(subject, [int(s) for s in opts["test_subjects"].split()])
logging.info("%d recordings, %d of them from held-out subjects", len(signals), held_out.sum())
train(
    ConvGRU(len(classes)),
    (signals[~held_out], labels[~held_out]),
    (signals[held_out], labels[held_out]),
    classes,
    epochs=opts.getint("epochs"),
    batch_size=opts.getint("batch_size"),
    lr=opts.getfloat("lr"),
    seed=opts.getint("seed"),
)
