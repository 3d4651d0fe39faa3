import torch

from ecg.data import loaders
from ecg.nets import BeatClassifier
from ecg.trainer import Trainer

if __name__ == "__main__":
    torch.manual_seed(42)
    train, test = loaders("beats.npz", batch=50)
    Trainer(BeatClassifier(), lr=2e-3, epochs=16).fit(train, test)
