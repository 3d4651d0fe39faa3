from .recorder import Recorder
