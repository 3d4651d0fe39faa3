import numpy as np
import torch
from sklearn.metrics import roc_curve


@torch.no_grad()
def identification(model, data):
    """Accuracy of the speaker head on unseen utterances of the training speakers."""
    x, y = data.test
    return (model(x).argmax(1) == y).float().mean().item()


@torch.no_grad()
def equal_error_rate(model, data):
    voices, owner = data.enroll
    probes, truth = data.test
    gallery = model.embed(voices)
    centers = torch.stack([gallery[owner == s].mean(0) for s in range(data.n_speakers)])
    scores = model.embed(probes) @ centers.t()
    same = truth[:, None] == torch.arange(data.n_speakers)[None]
    fpr, tpr, _ = roc_curve(same.flatten().numpy(), scores.flatten().numpy())
    i = np.nanargmin(np.abs(fpr - (1 - tpr)))
    return float((fpr[i] + 1 - tpr[i]) / 2)
