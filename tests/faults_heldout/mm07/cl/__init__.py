from .buffer import Reservoir
from .stream import TaskStream
from .learner import Learner
