"""Bracket / digit expressions: the model predicts the sorted digits at each position."""
import torch

PAD, SEP = 0, 1
OFFSET = 2
N_SYM = 12


def load(path):
    d = torch.load(path)
    return d["src"].long(), d["tgt"].long()
