import torch


def restore_encoder(encoder, path):
    """Fill the encoder with the plant-wide pre-trained weights."""
    blob = torch.load(path, map_location="cpu", weights_only=True)
    weights = blob["encoder"]
    own = encoder.state_dict()
    own.update({k: v for k, v in weights.items() if k in own and v.shape == own[k].shape})
    encoder.load_state_dict(own)
    return blob.get("meta", {})
