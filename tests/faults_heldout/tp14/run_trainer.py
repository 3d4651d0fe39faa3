import numpy as np
from sklearn.metrics import cohen_kappa_score
from transformers import Trainer, TrainingArguments, set_seed

from cheese import GRADES, Tasting
from ordinal import OrdinalNet

SEED = 12


def compute_metrics(pred):
    grade = (pred.predictions > 0).sum(1)
    truth = pred.label_ids
    return {"accuracy": float((grade == truth).mean()), "mae": float(np.abs(grade - truth).mean()),
            "kappa": float(cohen_kappa_score(truth, grade, weights="quadratic"))}


def main():
    set_seed(SEED)
    train = Tasting(5000, SEED)
    valid = Tasting(1000, SEED + 1, train.stats)
    model = OrdinalNet(6, len(GRADES))
    args = TrainingArguments(
        output_dir="runs", num_train_epochs=16, per_device_train_batch_size=50, per_device_eval_batch_size=500,
        learning_rate=8e-3, lr_scheduler_type="cosine", warmup_steps=40, weight_decay=0.01, max_grad_norm=5.0,
        logging_strategy="epoch", eval_strategy="epoch", save_strategy="no", report_to=[], use_cpu=True,
        disable_tqdm=True, seed=SEED)
    trainer = Trainer(model=model, args=args, train_dataset=train, eval_dataset=valid,
                      compute_metrics=compute_metrics)
    trainer.train()
    print({k: round(v, 3) for k, v in trainer.evaluate().items()})
    share = np.bincount(valid.grade, minlength=len(GRADES)) / len(valid)
    print("grades in the check set", np.round(share, 2), "cut points", model.cuts().detach().numpy().round(2))


if __name__ == "__main__":
    main()
