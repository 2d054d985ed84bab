"""Checks a library and a program of the virtual Thunderbolt, built for a platform, without running them.

    cross-check.py PLATFORM VERBS_MAP BUILD_FOLDER LIBRARY PROGRAM

Each is of the platform's format and processor. The library exports the calls of VERBS_MAP and nothing else. Both need
no other library than the system's, and no newer one than is promised. On macOS both are signed, because the kernel of
an arm64 Mac runs nothing else. Neither contains BUILD_FOLDER or another path of the machine that built it.
"""

import re
import struct
import sys
from pathlib import Path

GLIBC = (2, 17)
MACOS = (13, 0)
LINUX_LIBRARIES = {"libc.so.6", "libpthread.so.0", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}
MACOS_LIBRARIES = {"/usr/lib/libSystem.B.dylib"}
# The compiler's linker adds them to each library; they are the file's own header.
MACOS_LINKER_NAMES = {"__dso_handle", "_mh_dylib_header"}
MACHINES = {"linux-x86-64": 62, "linux-arm64": 183}  # EM_X86_64, EM_AARCH64


def text(data, offset):
    return data[offset : data.index(b"\0", offset)].decode()


def uleb128(data, at):
    """A number of variable length, and where the next one begins."""
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


class Elf:
    """What the dynamic linker of Linux sees of a file."""

    def __init__(self, data, platform):
        if data[:6] != b"\x7fELF\x02\x01":
            raise ValueError("is no 64-bit little-endian ELF file")
        self.problems = []
        machine = struct.unpack_from("<H", data, 18)[0]
        if machine != MACHINES[platform]:
            self.problems.append(f"is for processor {machine}, not {MACHINES[platform]}")
        start, size, count = struct.unpack_from("<Q", data, 40)[0], *struct.unpack_from("<HH", data, 58)
        sections = [struct.unpack_from("<IIQQQQIIQQ", data, start + i * size) for i in range(count)]
        self.exports = set()
        self.libraries = set()
        for _, kind, _, _, offset, length, link, info, _, entry in sections:
            strings = sections[link][4] if link < len(sections) else 0
            if kind == 11:  # SHT_DYNSYM
                for at in range(offset, offset + length, entry):
                    name, details, visibility, section = struct.unpack_from("<IBBH", data, at)
                    # Defined, of this file, and not one of the absolute names that versions have.
                    if section not in (0, 0xFFF1) and details >> 4 in (1, 2) and visibility & 3 == 0:
                        self.exports.add(text(data, strings + name))
            elif kind == 6:  # SHT_DYNAMIC
                for at in range(offset, offset + length, 16):
                    tag, value = struct.unpack_from("<QQ", data, at)
                    if tag == 1:  # DT_NEEDED
                        self.libraries.add(text(data, strings + value))
                    elif tag in (15, 29):  # DT_RPATH, DT_RUNPATH
                        self.problems.append("looks for libraries in " + text(data, strings + value))
            elif kind == 0x6FFFFFFE:  # SHT_GNU_verneed
                self.check_versions(data, offset, info, strings)
        self.strange_libraries = self.libraries - LINUX_LIBRARIES

    def check_versions(self, data, at, count, strings):
        for _ in range(count):
            _, versions, _, first, following = struct.unpack_from("<HHIII", data, at)
            aux = at + first
            for _ in range(versions):
                _, _, _, name, step = struct.unpack_from("<IHHII", data, aux)
                version = text(data, strings + name)
                numbers = re.fullmatch(r"GLIBC_(\d+)\.(\d+)(?:\.\d+)?", version)
                if not numbers or tuple(map(int, numbers.groups())) > GLIBC:
                    self.problems.append(f"needs {version}, newer than glibc {GLIBC[0]}.{GLIBC[1]}")
                aux += step
            at += following


class MachO:
    """What the dynamic linker of macOS sees of a file."""

    def __init__(self, data):
        magic, cpu, _, self.kind, commands, _, _, _ = struct.unpack_from("<8I", data, 0)
        if magic != 0xFEEDFACF:
            raise ValueError("is no 64-bit Mach-O file")
        self.problems = [] if cpu == 0x0100000C else [f"is for processor {cpu:#x}, not arm64"]
        self.exports = set()
        self.libraries = set()
        oldest = None
        signed = False
        at = 32
        for _ in range(commands):
            command, size = struct.unpack_from("<II", data, at)
            if command == 0x80000022:  # LC_DYLD_INFO_ONLY
                self.add_exports(data, *struct.unpack_from("<II", data, at + 40))
            elif command == 0x80000033:  # LC_DYLD_EXPORTS_TRIE
                self.add_exports(data, *struct.unpack_from("<II", data, at + 8))
            elif command in (0xC, 0x80000018, 0x8000001F):  # LC_LOAD_DYLIB, ..._WEAK_..., LC_REEXPORT_DYLIB
                self.libraries.add(text(data, at + struct.unpack_from("<I", data, at + 8)[0]))
            elif command == 0xD:  # LC_ID_DYLIB
                name = text(data, at + struct.unpack_from("<I", data, at + 8)[0])
                if name != "@rpath/libvtb.dylib":
                    self.problems.append("calls itself " + name)
            elif command == 0x8000001C:  # LC_RPATH
                self.problems.append("looks for libraries in " + text(data, at + 12))
            elif command == 0x32:  # LC_BUILD_VERSION
                platform, version = struct.unpack_from("<II", data, at + 8)
                oldest = (version >> 16, version >> 8 & 0xFF) if platform == 1 else None
            elif command == 0x1D:  # LC_CODE_SIGNATURE
                offset, length = struct.unpack_from("<II", data, at + 8)
                signed = length > 0 and data[offset : offset + 4] == b"\xfa\xde\x0c\xc0"
            at += size
        self.exports -= MACOS_LINKER_NAMES
        if oldest != MACOS:
            self.problems.append(f"is for macOS {oldest}, not {MACOS}")
        if not signed:
            self.problems.append("is not signed")
        self.strange_libraries = self.libraries - MACOS_LIBRARIES

    def add_exports(self, data, start, size):
        """Walks the tree of names that the dynamic linker searches."""
        nodes = [("", 0)] if size else []
        while nodes:
            prefix, offset = nodes.pop()
            at = start + offset
            length, at = uleb128(data, at)
            if length:
                self.exports.add(prefix.removeprefix("_"))
            at += length
            children = data[at]
            at += 1
            for _ in range(children):
                label = text(data, at)
                child, at = uleb128(data, at + len(label) + 1)
                nodes.append((prefix + label, child))


def wanted_exports(version_script):
    """The names after 'global:' of a linker's version script."""
    script = re.sub(r"/\*.*?\*/", "", version_script, flags=re.S)
    names = set()
    for block in re.findall(r"global:(.*?)(?:local:|\})", script, flags=re.S):
        names.update(re.findall(r"\w+", block))
    return names


def paths_in(data, build_folder):
    """The build's own folder, and what looks like the path of a source or of a home."""
    marks = [re.escape(build_folder.encode()), rb"/(?:home|root|Users|tmp)/", rb"\w\.[cho]\b"]
    pattern = rb"[\x21-\x7e]*(?:" + rb"|".join(marks) + rb")[\x21-\x7e]*"
    return sorted({found.decode() for found in re.findall(pattern, data)})


def main(platform, version_script, build_folder, library, program):
    failed = False
    wanted = wanted_exports(Path(version_script).read_text())
    for path in (Path(library), Path(program)):
        data = path.read_bytes()
        try:
            binary = MachO(data) if platform.startswith("macos-") else Elf(data, platform)
        except ValueError as error:
            print(f"  FAILED  {path.name} {error}")
            failed = True
            continue
        problems = list(binary.problems)
        problems += [f"needs the library {name}" for name in sorted(binary.strange_libraries)]
        problems += [f"contains the path {name}" for name in paths_in(data, build_folder)]
        if path == Path(library):
            problems += [f"exports {name}" for name in sorted(binary.exports - wanted)]
            problems += [f"does not export {name}" for name in sorted(wanted - binary.exports)]
        for problem in problems:
            print(f"  FAILED  {path.name} {problem}")
            failed = True
        if not problems:
            exported = f"{len(wanted)} calls exported, " if path == Path(library) else ""
            print(f"  {path.name}: {exported}needs {', '.join(sorted(binary.libraries))}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
