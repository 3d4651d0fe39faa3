import lightning as L
import torch

from calib.data import Colocation
from calib.model import MixtureRegressor

EPOCHS = 16

if __name__ == "__main__":
    torch.set_num_threads(1)
    L.seed_everything(8, verbose=False)
    dm = Colocation(batch_size=8)
    dm.setup()
    model = MixtureRegressor(dm.y_mean, dm.y_std, total=EPOCHS * len(dm.train_dataloader()))
    trainer = L.Trainer(max_epochs=EPOCHS, gradient_clip_val=5.0, accelerator="cpu", logger=False,
                        enable_checkpointing=False, enable_progress_bar=False, enable_model_summary=False,
                        num_sanity_val_steps=0)
    trainer.fit(model, datamodule=dm)
    print({k: round(float(v), 4) for k, v in trainer.callback_metrics.items()})
