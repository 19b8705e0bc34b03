#!/usr/bin/env python3
"""Writes a folder as a container image of one layer, in the format of "docker save"."""

import argparse
import datetime
import hashlib
import io
import json
import os
import stat
import tarfile


def member(path, name, arguments):
    """Returns the tar header of a file: everything is root's but the data folder."""
    status = os.lstat(path)
    info = tarfile.TarInfo(name)
    info.mode = stat.S_IMODE(status.st_mode)
    info.mtime = arguments.time
    if name == arguments.data.strip("/"):
        info.uid = info.gid = arguments.user
    if stat.S_ISDIR(status.st_mode):
        info.type = tarfile.DIRTYPE
    else:
        info.size = status.st_size
    return info


def layer(arguments):
    """Returns the folder as the bytes of a tar archive, sorted by name."""
    names = []
    for folder, folders, files in os.walk(arguments.root):
        for name in folders + files:
            names.append(os.path.relpath(os.path.join(folder, name), arguments.root))
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name in sorted(names):
            path = os.path.join(arguments.root, name)
            info = member(path, name, arguments)
            if info.isdir():
                archive.addfile(info)
            else:
                with open(path, "rb") as content:
                    archive.addfile(info, content)
    return out.getvalue()


def config(arguments, digest):
    """Returns the image's configuration as of the OCI image specification."""
    created = datetime.datetime.fromtimestamp(arguments.time, datetime.timezone.utc)
    return {
        "architecture": arguments.architecture,
        "os": "linux",
        "created": created.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "config": {
            "User": f"{arguments.user}:{arguments.user}",
            "Entrypoint": ["/usr/bin/rangers"],
            "Cmd": ["serve"],
            "Env": [
                "RANGERS_LISTEN=0.0.0.0:8080",
                f"RANGERS_DATA={arguments.data}/rangers.db",
                "SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt",
                "GLIBC_TUNABLES=glibc.malloc.hugetlb=1:glibc.malloc.arena_max=2",
            ],
            "ExposedPorts": {"8080/tcp": {}},
            "Volumes": {arguments.data: {}},
            "WorkingDir": arguments.data,
            "StopSignal": "SIGTERM",
        },
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{digest}"]},
        "history": [{"created_by": "Scripts/package", "created": created.isoformat()}],
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root")
    parser.add_argument("out")
    parser.add_argument("--tag", required=True)
    parser.add_argument("--architecture", required=True)
    parser.add_argument("--time", type=int, required=True)
    parser.add_argument("--data", required=True)
    parser.add_argument("--user", type=int, required=True)
    arguments = parser.parse_args()

    content = layer(arguments)
    digest = hashlib.sha256(content).hexdigest()
    settings = json.dumps(config(arguments, digest), sort_keys=True).encode()
    name = hashlib.sha256(settings).hexdigest() + ".json"
    manifest = [{"Config": name, "RepoTags": [arguments.tag], "Layers": [f"{digest}/layer.tar"]}]
    with tarfile.open(arguments.out, "w", format=tarfile.USTAR_FORMAT) as archive:
        for path, data in [
            (name, settings),
            (f"{digest}/layer.tar", content),
            ("manifest.json", json.dumps(manifest).encode()),
        ]:
            info = tarfile.TarInfo(path)
            info.size, info.mode, info.mtime = len(data), 0o644, arguments.time
            archive.addfile(info, io.BytesIO(data))


if __name__ == "__main__":
    main()
