from contextlib import nullcontext

import torch

DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16}


class Precision:
    """Storage dtype of the parameters and arithmetic dtype of the forward pass."""

    def __init__(self, weights="float32", compute="float32"):
        self.weights, self.compute = DTYPES[weights], DTYPES[compute]

    def prepare(self, model):
        return model.to(self.weights)

    def inputs(self, x):
        return x.to(self.weights)

    def forward(self):
        if self.compute == self.weights:
            return nullcontext()
        return torch.autocast("cpu", dtype=self.compute)
