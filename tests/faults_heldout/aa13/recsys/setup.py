import torch

DTYPES = {"fp32": torch.float32, "bf16": torch.bfloat16}


def parse_dtype(name):
    return DTYPES[name]


def to_device(model, device, dtype=None):
    """Move the model; embeddings are the bulk of the memory, hence the optional dtype."""
    model = model.to(device)
    return model if dtype is None else model.to(dtype)
