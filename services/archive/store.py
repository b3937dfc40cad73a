"""Where archived matches lie: objects that are written once, in a folder or an object store."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple

import obstore
from obstore.exceptions import AlreadyExistsError, BaseError
from obstore.store import LocalStore, from_url

from engine.audit import LARGEST
from services.archive import Unread

PATIENCE: Final = timedelta(seconds=10)  # how long a store that fails is asked again
CLIENT: Final = {"connect_timeout": "3s", "timeout": "30s"}


class Thing(NamedTuple):
    """An object, as a list of the store says."""

    path: str
    size: int
    at: float  # when it was written, in seconds


class Store:
    """Objects by path. `where` is a folder, or a URL such as s3://bucket/path."""

    def __init__(self, where: str) -> None:
        self.where = where
        self._folder = None if "://" in where else Path(where).absolute()
        self._objects: Any = None if self._folder else _opened(where)

    def put(self, path: str, raw: bytes) -> bool:
        """Write an object, whole or not at all; False if there is one of this path already."""
        try:
            new = self._create(path, raw)
            if self._folder is not None:
                _keep(self._folder, path)
        except (BaseError, OSError) as error:
            raise self._unread(path, error) from error
        return new

    def get(self, path: str) -> bytes:
        """What the object holds; Unread if there is none."""
        try:
            found = obstore.get(self._there(), path)
            if found.meta["size"] > LARGEST:
                raise Unread(f"{path} in {self.where} is too large to be ours")
            return bytes(found.bytes())
        except (BaseError, OSError) as error:
            raise self._unread(path, error) from error

    def all(self, folder: str) -> Iterator[Thing]:
        """All objects whose path begins with this folder."""
        try:
            for part in obstore.list(self._there(), prefix=folder):
                for one in part:
                    yield Thing(one["path"], one["size"], one["last_modified"].timestamp())
        except (BaseError, OSError) as error:
            raise self._unread(folder, error) from error

    def _create(self, path: str, raw: bytes) -> bool:
        if self._folder is not None:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            obstore.put(self._there(), path, raw, mode="create", use_multipart=False)
        except AlreadyExistsError:
            return False
        return True

    def _there(self) -> Any:
        """The store; a folder, once it is there."""
        if self._objects is None:
            assert self._folder is not None
            if not self._folder.is_dir():
                raise FileNotFoundError("there is no such folder")
            self._objects = LocalStore(self._folder)
        return self._objects

    def _unread(self, path: str, error: Exception) -> Unread:
        says = str(error).partition("\n")[0]
        return Unread(f"{path} in {self.where}: {says}")


def digest(raw: bytes) -> bytes:
    return sha256(raw).digest()


def _opened(url: str) -> Any:
    try:
        retries: Any = {"max_retries": 3, "retry_timeout": PATIENCE}
        return from_url(url, client_options=_client(), retry_config=retries)
    except (BaseError, ValueError) as error:
        says = str(error).partition("\n")[0]
        raise ValueError(f"{url!r} is no folder and no object store: {says}") from error


def _client() -> Any:
    """How the store is asked; without TLS only where the environment says so."""
    plain = os.environ.get("AWS_ENDPOINT_URL", "").startswith("http://")
    return {**CLIENT, "allow_http": plain}


def _keep(folder: Path, path: str) -> None:
    """Have a file and the way to it survive a power cut."""
    for one in (Path(path), *Path(path).parents):
        file = os.open(folder / one, os.O_RDONLY)
        try:
            os.fsync(file)
        finally:
            os.close(file)
