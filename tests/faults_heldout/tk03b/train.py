import argparse
import tempfile

import numpy as np
from sklearn.metrics import confusion_matrix, f1_score
from transformers import Trainer, TrainingArguments, set_seed

from data import CLASSES, load_splits
from model import BeatNet


def compute_metrics(pred):
    guess = pred.predictions.argmax(-1)
    return {"accuracy": float((guess == pred.label_ids).mean()),
            "macro_f1": float(f1_score(pred.label_ids, guess, average="macro", zero_division=0))}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--lr", type=float, default=2e-3)
    parser.add_argument("--seed", type=int, default=17)
    opt = parser.parse_args()

    set_seed(opt.seed)
    train_set, test_set = load_splits()
    with tempfile.TemporaryDirectory() as out:
        args = TrainingArguments(
            output_dir=out, num_train_epochs=opt.epochs, learning_rate=opt.lr, weight_decay=0.01,
            per_device_train_batch_size=32, per_device_eval_batch_size=128,
            lr_scheduler_type="cosine", warmup_steps=40, eval_strategy="epoch",
            logging_strategy="epoch", save_strategy="no", report_to="none", seed=opt.seed,
            use_cpu=True, disable_tqdm=True, dataloader_pin_memory=False,
        )
        trainer = Trainer(model=BeatNet(), args=args, train_dataset=train_set,
                          eval_dataset=test_set, compute_metrics=compute_metrics)
        trainer.train()
        pred = trainer.predict(test_set)
    print("test", {k: round(v, 4) for k, v in pred.metrics.items() if k.startswith("test_") and "per_second" not in k})
    print("confusion (rows = annotated)", CLASSES)
    print(confusion_matrix(pred.label_ids, np.argmax(pred.predictions, -1)))


if __name__ == "__main__":
    main()
