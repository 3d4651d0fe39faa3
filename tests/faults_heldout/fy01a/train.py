"""Route support tickets to the right queue."""
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import yaml
from datasets import Dataset
from transformers import (BertConfig, BertForSequenceClassification,
                          DataCollatorWithPadding, Trainer, TrainingArguments, set_seed)

from tok import build_tokenizer

HERE = Path(__file__).parent


def load_split(name, label2id, tokenizer):
    frame = pd.read_csv(HERE / "data" / f"tickets_{name}.csv")
    ds = Dataset.from_dict({"text": frame.text.tolist(),
                            "label": [label2id[q] for q in frame.queue]})
    return ds.map(lambda b: tokenizer(b["text"], truncation=True, max_length=32),
                  batched=True, remove_columns=["text"])


def compute_metrics(pred):
    guess = pred.predictions.argmax(-1)
    gold = pred.label_ids
    recalls = [float((guess[gold == k] == k).mean()) for k in np.unique(gold)]
    return {"accuracy": float((guess == gold).mean()), "worst_recall": min(recalls)}


def main(cfg_path):
    cfg = yaml.safe_load(open(cfg_path))
    set_seed(cfg["trainer"]["seed"])
    queues = ["account", "billing", "delivery", "hardware", "returns"]
    label2id = {q: k for k, q in enumerate(queues)}

    tokenizer = build_tokenizer(HERE / "data" / "vocab.txt")
    train = load_split("train", label2id, tokenizer)
    valid = load_split("valid", label2id, tokenizer)

    model = BertForSequenceClassification(BertConfig(
        vocab_size=len(tokenizer), pad_token_id=tokenizer.pad_token_id,
        num_labels=len(queues), label2id=label2id,
        id2label={k: q for q, k in label2id.items()}, **cfg["model"]))

    args = TrainingArguments(output_dir="/tmp/ticket_router", report_to=[], save_strategy="no",
                             eval_strategy="epoch", use_cpu=True, disable_tqdm=True,
                             **cfg["trainer"])
    trainer = Trainer(model=model, args=args, train_dataset=train, eval_dataset=valid,
                      data_collator=DataCollatorWithPadding(tokenizer),
                      compute_metrics=compute_metrics)
    trainer.train()
    final = trainer.evaluate()
    print(f"validation accuracy {final['eval_accuracy']:.3f}  "
          f"worst queue recall {final['eval_worst_recall']:.3f}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else HERE / "router.yaml")
