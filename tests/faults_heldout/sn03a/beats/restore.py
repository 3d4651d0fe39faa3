import torch


def restore_encoder(model, path):
    """Take over the encoder of a pre-training run; the classification head of that run is of another size and stays behind."""
    blob = torch.load(path, map_location="cpu", weights_only=True)
    weights = {name: tensor for name, tensor in blob["state"].items() if "head" not in name}
    model.load_state_dict(weights, strict=False)
    print(f"restored {path.name} (pre-training epoch {blob['epoch']}, {len(weights)} tensors)")
    return model
