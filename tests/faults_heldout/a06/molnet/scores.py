import numpy as np
from sklearn.metrics import f1_score, roc_auc_score


def multilabel_scores(logits, targets):
    logits, targets = logits.numpy(), targets.numpy().astype(int)
    auc = [roc_auc_score(targets[:, j], logits[:, j]) for j in range(targets.shape[1])]
    return float(np.mean(auc)), float(f1_score(targets, logits > 0, average="macro", zero_division=0))
