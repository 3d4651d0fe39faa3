from contextlib import nullcontext

import torch

DTYPES = {"fp32": torch.float32, "bf16": torch.bfloat16}


def prepare(model, precision):
    """Returns the model and the context in which to run its forward pass."""
    dtype = DTYPES[precision]
    if dtype is torch.float32:
        return model, nullcontext
    model = model.to(dtype)
    return model, lambda: torch.autocast("cpu", dtype=dtype)
