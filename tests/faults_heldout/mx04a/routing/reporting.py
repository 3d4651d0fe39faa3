from transformers import TrainerCallback


class LogToStdout(TrainerCallback):
    def on_log(self, args, state, control, logs=None, **kwargs):
        for key in ("loss", "eval_loss"):
            if logs and key in logs:
                print(f"epoch {state.epoch:5.2f}  {key:9s} {float(logs[key]):.4f}")
