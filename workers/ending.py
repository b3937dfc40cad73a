"""How a worker ends on SIGTERM: after what it has in hand or, where it only waits, at once."""

from __future__ import annotations

import os
import signal

from services import traces


class Ending:
    """`told`: take nothing new. Within `with ending:` nothing is in hand."""

    told = False
    _idle = False

    def begin(self) -> None:
        """Hear the signal from here on; as the first process of a container we would not die of it
        otherwise."""
        signal.signal(signal.SIGTERM, self._tell)

    def __enter__(self) -> None:
        self._idle = True

    def __exit__(self, *_: object) -> None:
        self._idle = False

    def _tell(self, *_: object) -> None:
        self.told = True
        if self._idle:
            self.leave()

    def leave(self) -> None:
        """Taking the interpreter down would take longer than all that there is left to do."""
        traces.end()
        os._exit(0)


ending = Ending()
