"""Set when this process is asked to stop. Long loops look at it between steps and put their work back."""

import threading

_event = threading.Event()
is_set = _event.is_set
set_now = _event.set
wait = _event.wait
