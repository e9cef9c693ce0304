"""The child process that runs nvJitLink: `python -m ptxgen.assemble.worker_process`, started by `worker`.

It calls the bindings, since cuda.core's Linker drops the log of a text that it refuses.
"""

from __future__ import annotations

import os
import pickle
import sys
from importlib import import_module
from typing import IO, Any

from ptxgen.assemble.worker import Reply


def serve(requests: IO[bytes], replies: IO[bytes]) -> None:
    """Answer requests until their stream ends."""
    while True:
        try:
            text, architectures = pickle.load(requests)
        except EOFError:
            return
        pickle.dump(tuple(_assemble(text, architectures)), replies)
        replies.flush()


def _assemble(text: bytes, architectures: tuple[str, ...]) -> Reply:
    api: Any = import_module("cuda.bindings.nvjitlink")
    unknown = (api.Result.ERROR_UNRECOGNIZED_ARCH, api.Result.ERROR_UNSUPPORTED_ARCH)
    for arch in architectures:
        options = [f"-arch={arch}", "-Xptxas=-v", "-no-cache"]
        try:
            handle = api.create(len(options), options)
        except api.nvJitLinkError as error:
            if error.status in unknown:
                continue
            return Reply(None, arch, "", str(error))
        try:
            api.add_data(handle, api.InputType.PTX, text, len(text), "ptx")
            api.complete(handle)
            code = bytearray(api.get_linked_cubin_size(handle))
            api.get_linked_cubin(handle, code)
            return Reply(bytes(code), arch, _log(api, handle), "")
        except api.nvJitLinkError as error:
            return Reply(None, arch, _log(api, handle), str(error))
        finally:
            api.destroy(handle)
    return Reply(None, architectures[0], "", f"it does not know {architectures[0]}, nor a later GPU that runs its PTX")


def _log(api: Any, handle: Any) -> str:
    parts: list[str] = []
    for size, get in ((api.get_info_log_size, api.get_info_log), (api.get_error_log_size, api.get_error_log)):
        text = bytearray(size(handle))
        if text:
            get(handle, text)
        parts.append(text.decode("utf-8", "replace").strip("\0 \n"))
    return "\n".join(part for part in parts if part)


if __name__ == "__main__":
    # What native code prints must not get between the replies.
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    serve(sys.stdin.buffer, replies)
