"""A small HTTP/1.1 client over asyncio, which can speak from any address of the loopback."""

import asyncio
import json


class Connection:
    """One connection that stays open; connects when it is needed. As a trusted proxy it speaks for
    `client`, an address."""

    def __init__(self, port, source="127.0.0.1", timeout=30, client=None):
        self.port, self.source, self.timeout, self.client = port, source, timeout, client
        self.reader = self.writer = None

    async def request(self, method, path, body=None, token=None):
        """Returns (status, headers, JSON or None); raises OSError when there is no response."""
        data = b"" if body is None else json.dumps(body).encode()
        return await self.exchange(
            head(method, path, len(data), token, self.client) + data)

    async def exchange(self, request):
        """Sends bytes and returns the response; once more if the kept connection is gone."""
        is_kept = self.writer is not None
        try:
            return await self._exchange(request)
        except OSError:
            if not is_kept:
                raise
            return await self._exchange(request)

    async def _exchange(self, request):
        try:
            if self.writer is None:
                self.reader, self.writer = await asyncio.open_connection(
                    "127.0.0.1", self.port, local_addr=(self.source, 0))
            self.writer.write(request)
            return await asyncio.wait_for(self._response(), self.timeout)
        except (asyncio.IncompleteReadError, asyncio.TimeoutError, ValueError) as error:
            self.close()
            raise OSError(str(error)) from error
        except OSError:
            self.close()
            raise

    async def _response(self):
        lines = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        status = int(lines[0].split(" ")[1])
        headers = dict(line.lower().split(": ", 1) for line in lines[1:] if ": " in line)
        content = await self.reader.readexactly(int(headers.get("content-length", 0)))
        if headers.get("connection") == "close":
            self.close()
        is_json = "json" in headers.get("content-type", "")
        return status, headers, json.loads(content) if content and is_json else content

    def close(self):
        if self.writer is not None:
            self.writer.close()
        self.reader = self.writer = None


def head(method, path, length=0, token=None, client=None):
    """Returns a request's head, with the address for which a proxy sends it."""
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost", f"Content-Length: {length}"]
    if length:
        lines.append("Content-Type: application/json")
    if token:
        lines.append(f"Authorization: Bearer {token}")
    if client:
        lines.append(f'Forwarded: for="[{client}]"' if ":" in client else f"Forwarded: for={client}")
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


class Player:
    """A player with one hero, who leads a party."""

    def __init__(self, connection):
        self.connection = connection
        self.token = self.hero = self.party = self.code = None
        self.adventures = 1

    async def call(self, method, path, body=None):
        return await self.connection.request(method, path, body, self.token)

    async def register(self, name):
        """Registers with a hero; returns the first status that is no success, or None."""
        status, _, answer = await self.connection.request("POST", "/v1/players")
        if status != 201:
            return status
        self.token = answer["token"]
        status, _, answer = await self.call(
            "POST", "/v1/heroes", {"name": name, "avatar": "🐼", "heroType": "Panda"})
        if status != 201:
            return status
        self.hero = answer["id"]
        return None

    async def found(self):
        status, _, answer = await self.call("POST", "/v1/parties", {"hero": self.hero})
        if status != 201:
            return status
        self.party, self.code = answer["id"], answer["inviteCode"]
        return None

    async def watch(self, activity, token):
        """Registers a Live Activity; returns the status."""
        status, _, _ = await self.call("PUT", f"/v1/activities/{activity}", {
            "hero": self.hero, "pushToken": token, "environment": "sandbox",
            "frequentPushesEnabled": True, "language": "en", "osVersion": "18.1"})
        return status
