"""Each kind of wrong request gets its status, a stable type and a sentence that says what to do, and
writes nothing: the whole server is compared, byte by byte, before and after.
"""

from __future__ import annotations
