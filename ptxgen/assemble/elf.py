"""What the kernels of a cubin take, read from the cubin itself: a 64-bit little-endian ELF file.

Read here and not from the assembler's log, because the log's wording changes between releases and the driver goes by
the file. NVIDIA does not document these sections; the tests hold them against the logs of ptxas 11.7 to 13.5.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from attrs import frozen

from ptxgen.assemble.resources import Resources

_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")

_SHT_SYMTAB = 2
_SHT_NOBITS = 8
_STT_FUNC = 2
_STO_CUDA_ENTRY = 0x10  # st_other of a kernel, as against a device function

# Attributes in .nv.info (pairs of symbol index and value) and .nv.info.<kernel>.
_EIATTR_REGCOUNT = 0x2F
_EIATTR_FRAME_SIZE = 0x11
_EIATTR_MIN_STACK_SIZE = 0x12  # the frame with those of the functions that it calls
_EIATTR_NUM_BARRIERS = 0x4C
_EIFMT_SVAL = 4  # a payload follows; other formats hold the value in the entry

_RESERVED_SHARED = 1024  # bytes at the start of .nv.shared.<kernel> that are the system's, from sm_90 on


@frozen
class _Section:
    name: str
    type: int
    flags: int
    offset: int
    size: int
    link: int
    info: int


def read_resources(cubin: bytes) -> dict[str, Resources]:
    """Each kernel's Resources, in the file's order; spills are not in the file. Raises ValueError if it is no cubin."""
    try:
        return _read(cubin)
    except (struct.error, IndexError, KeyError, OverflowError, UnicodeDecodeError) as error:
        raise ValueError(f"not a cubin: {error}") from error


def _read(cubin: bytes) -> dict[str, Resources]:
    if cubin[:6] != b"\x7fELF\x02\x01":
        raise ValueError("not a cubin: no 64-bit little-endian ELF file")
    sections = _sections(cubin)
    by_name = {section.name: section for section in sections}
    reserved = _RESERVED_SHARED if _sm(cubin) >= 90 else 0
    per_symbol = dict(_symbol_attributes(cubin, by_name.get(".nv.info")))
    kernels: dict[str, Resources] = {}
    for index, name in _kernels(cubin, sections):
        text = by_name[f".text.{name}"]
        shared = by_name.get(f".nv.shared.{name}")
        stack = per_symbol.get((_EIATTR_MIN_STACK_SIZE, index), per_symbol.get((_EIATTR_FRAME_SIZE, index), 0))
        kernels[name] = Resources(
            registers=per_symbol.get((_EIATTR_REGCOUNT, index)),
            shared=max(0, shared.size - reserved) if shared else 0,
            stack=stack,
            barriers=_barriers(cubin, by_name.get(f".nv.info.{name}"), text),
        )
    return kernels


def sections(cubin: bytes) -> list[tuple[str, bytes]]:
    """Name and content of each section, in the file's order; of one that has no content in the file, its size."""
    return [(section.name, _content(cubin, section)) for section in _sections(cubin)]


def _content(cubin: bytes, section: _Section) -> bytes:
    if section.type == _SHT_NOBITS:
        return str(section.size).encode()
    return cubin[section.offset : section.offset + section.size]


def symbols(cubin: bytes) -> list[tuple[str, str, int, int, int, int]]:
    """Name, section, value, size, info and other of each symbol, in the file's order."""
    every = _sections(cubin)
    found: list[tuple[str, str, int, int, int, int]] = []
    for table in every:
        content = cubin[table.offset : table.offset + table.size] if table.type == _SHT_SYMTAB else b""
        for name, info, other, index, value, size in _SYMBOL.iter_unpack(content):
            section = every[int(index)].name if index < len(every) else ""  # such as that of absolute values
            found.append((_string(cubin, every[table.link].offset + name), section, value, size, info, other))
    return found


def _sm(cubin: bytes) -> int:
    """The architecture number: in the second byte of e_flags since ABI 8 (toolkit 13), in the first before."""
    flags = _HEADER.unpack_from(cubin)[7]
    abi_version = cubin[8]
    return flags >> 8 & 0xFF if abi_version >= 8 else flags & 0xFF


def _sections(cubin: bytes) -> list[_Section]:
    header = _HEADER.unpack_from(cubin)
    start, entry_size, count, names_index = (int(header[i]) for i in (6, 11, 12, 13))
    raw = [_SECTION.unpack_from(cubin, start + i * entry_size) for i in range(count)]
    names = raw[names_index][4]
    return [_Section(_string(cubin, names + r[0]), r[1], r[2], r[4], r[5], r[6], r[7]) for r in raw]


def _kernels(cubin: bytes, sections: list[_Section]) -> Iterator[tuple[int, str]]:
    for table in sections:
        if table.type != _SHT_SYMTAB:
            continue
        names = sections[table.link].offset
        for index in range(table.size // _SYMBOL.size):
            name, info, other, *_ = _SYMBOL.unpack_from(cubin, table.offset + index * _SYMBOL.size)
            if info & 0xF == _STT_FUNC and other & _STO_CUDA_ENTRY:
                yield index, _string(cubin, names + name)


def _attributes(cubin: bytes, section: _Section | None) -> Iterator[tuple[int, int, bytes]]:
    """Code, value in the entry, and payload of each attribute of a .nv.info section."""
    if section is None:
        return
    at, end = section.offset, section.offset + section.size
    while at < end:
        form, code, value = struct.unpack_from("<BBH", cubin, at)
        at += 4
        payload = cubin[at : at + value] if form == _EIFMT_SVAL else b""
        at += len(payload)
        yield code, value, payload


def _symbol_attributes(cubin: bytes, section: _Section | None) -> Iterator[tuple[tuple[int, int], int]]:
    """Values of the attributes that hold a symbol and a number, by code and symbol index."""
    for code, _, payload in _attributes(cubin, section):
        if len(payload) == 8:
            symbol, value = struct.unpack("<II", payload)
            yield (code, symbol), value


def _barriers(cubin: bytes, info: _Section | None, text: _Section) -> int | None:
    """An attribute since ABI 8; before, seven bits of the flags of the kernel's code section."""
    if cubin[8] < 8:
        return text.flags >> 20 & 0x7F
    return next((value & 0xFF for code, value, _ in _attributes(cubin, info) if code == _EIATTR_NUM_BARRIERS), 0)


def _string(cubin: bytes, at: int) -> str:
    end = cubin.find(b"\0", at)
    return cubin[at : end if end >= 0 else len(cubin)].decode()
