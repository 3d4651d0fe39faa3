"""Would the customer recommend the product? Small BERT from scratch on shop reviews."""
import json
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import torch
from sklearn.metrics import accuracy_score, roc_auc_score
from transformers import (BertConfig, BertForSequenceClassification, EarlyStoppingCallback, Trainer,
                          TrainingArguments, set_seed)

HERE = Path(__file__).resolve().parent
SEED = 22
MAX_LEN = 24
PAD, UNK, CLS = 0, 1, 2


def build_vocab(texts, min_count=2):
    counts = Counter(w for t in texts for w in t.split())
    vocab = {"[PAD]": PAD, "[UNK]": UNK, "[CLS]": CLS}
    for word, n in sorted(counts.items()):
        if n >= min_count:
            vocab[word] = len(vocab)
    return vocab


class ReviewDataset(torch.utils.data.Dataset):
    def __init__(self, frame, vocab):
        self.labels = frame["recommended"].tolist()
        self.rows = []
        for text in frame["text"]:
            ids = [CLS] + [vocab.get(w, UNK) for w in text.split()][:MAX_LEN - 1]
            fill = MAX_LEN - len(ids)
            self.rows.append((ids + [PAD] * fill, [1] * len(ids) + [0] * fill))

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        ids, mask = self.rows[i]
        return {"input_ids": torch.tensor(ids), "attention_mask": torch.tensor(mask),
                "labels": torch.tensor(self.labels[i])}


def compute_metrics(pred):
    logits, labels = pred
    return {"accuracy": accuracy_score(labels, logits.argmax(-1)),
            "auc": roc_auc_score(labels, logits[:, 1] - logits[:, 0])}


def main():
    set_seed(SEED)
    reviews = pd.read_csv(HERE / "reviews.csv").set_index("review_id")
    split = json.loads((HERE / "split.json").read_text())
    train_frame, val_frame = reviews.loc[split["train"]], reviews.loc[split["val"]]
    vocab = build_vocab(train_frame["text"])
    print(f"{len(train_frame)} train / {len(val_frame)} val reviews, {len(vocab)} words")

    config = BertConfig(vocab_size=len(vocab), hidden_size=64, num_hidden_layers=2, num_attention_heads=4,
                        intermediate_size=128, max_position_embeddings=MAX_LEN, num_labels=2,
                        hidden_dropout_prob=0.1, attention_probs_dropout_prob=0.1, initializer_range=0.1)
    model = BertForSequenceClassification(config)

    with tempfile.TemporaryDirectory() as out:
        args = TrainingArguments(
            output_dir=out, seed=SEED, use_cpu=True, report_to=[], disable_tqdm=True,
            num_train_epochs=30, per_device_train_batch_size=32, per_device_eval_batch_size=256,
            learning_rate=4e-4, weight_decay=0.01, warmup_steps=20, lr_scheduler_type="constant_with_warmup",
            eval_strategy="epoch", save_strategy="epoch", logging_strategy="epoch", save_total_limit=2,
            load_best_model_at_end=True, metric_for_best_model="eval_loss",
        )
        trainer = Trainer(model=model, args=args, train_dataset=ReviewDataset(train_frame, vocab),
                          eval_dataset=ReviewDataset(val_frame, vocab), compute_metrics=compute_metrics,
                          callbacks=[EarlyStoppingCallback(early_stopping_patience=3)])
        trainer.train()
        final = trainer.evaluate()
    print(f"best model: val loss {final['eval_loss']:.4f}  accuracy {final['eval_accuracy']:.3f}  "
          f"auc {final['eval_auc']:.3f}")
    return trainer, vocab


if __name__ == "__main__":
    main()
