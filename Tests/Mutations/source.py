"""Swift, parsed just enough to find a member of a type, an expression, a statement's end."""

import bisect
import re

TOKEN = re.compile(r"""
    (?P<blank>\s+|//[^\n]*|\#(?:if|elseif|else|endif)\b[^\n]*)
    |(?P<comment>/\*)
    |(?P<string>\#*\"(?:\"\")?)
    |(?P<number>0[xob][\da-fA-F_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][-+]?\d+)?)
    |(?P<word>[$@\#]?\w+|`\w+`)
    |(?P<operator>[-/=+!*%<>&|^~?.]+)
    |(?P<mark>.)""", re.VERBOSE)
TYPES = {"struct", "class", "enum", "actor", "protocol", "extension"}
MEMBERS = {"func", "var", "let", "init", "deinit", "subscript", "case", "typealias"}
CLOSERS = {"(": ")", "[": "]", "{": "}"}
STATEMENTS = {"if", "guard", "while", "for", "switch", "catch"}
# Where an operand ends, beside brackets and the end of the statement.
STOPS = {
    ",", ";", ":", "=", "->", "+=", "-=", "*=", "/=", "&+=", "^=", "|=", "&=", "return", "throw",
    "where", "in", "case", "let", "var", "try", "await", "else", "default", "do", "repeat",
} | STATEMENTS


class Token:
    def __init__(self, text, start, kind):
        self.text, self.start, self.kind = text, start, kind
        self.end = start + len(text)


class Member:
    """A function or property: its name behind those of its types, and its tokens."""

    def __init__(self, path, keyword, start):
        self.path, self.keyword, self.start, self.end = path, keyword, start, start


def _end_of_string(text, start):
    """The index behind a string literal, whose interpolations may hold further ones."""
    hashes = re.compile("#*").match(text, start)[0]
    index = start + len(hashes)
    quote = '"""' if text.startswith('"""', index) else '"'
    index += len(quote)
    while index < len(text) and not text.startswith(quote + hashes, index):
        if not text.startswith("\\" + hashes, index):
            index += 1
            continue
        index += 1 + len(hashes)
        if text[index] != "(":
            index += 1
            continue
        depth = 0
        while True:
            depth += {"(": 1, ")": -1}.get(text[index], 0)
            index = _end_of_string(text, index) if text[index] == '"' else index + 1
            if depth == 0:
                break
    return index + len(quote + hashes)


def tokens(text):
    found, index = [], 0
    while index < len(text):
        match = TOKEN.match(text, index)
        kind, end = match.lastgroup, match.end()
        if kind == "comment":
            depth = 1
            while depth and end < len(text):
                pair = text[end:end + 2]
                depth += {"/*": 1, "*/": -1}.get(pair, 0)
                end += 2 if pair in ("/*", "*/") else 1
        elif kind == "string":
            end = _end_of_string(text, index)
            found.append(Token(text[index:end], index, kind))
        elif kind != "blank":
            found.append(Token(match[0], index, kind))
        index = end
    return found


class Source:
    """A file's tokens; `partner` has the other bracket of each, `around` the innermost opening one
    (-1: none), `members` what its types declare."""

    def __init__(self, path, text):
        self.path, self.text, self.tokens = path, text, tokens(text)
        self.partner, self.around, self.members = {}, [], []
        self._newlines = [match.start() for match in re.finditer("\n", text)]
        stack = []
        for index, token in enumerate(self.tokens):
            if token.text in CLOSERS.values() and stack:
                opening = stack.pop()
                self.partner[opening], self.partner[index] = index, opening
            self.around.append(stack[-1] if stack else -1)
            if token.text in CLOSERS:
                stack.append(index)
        self._read_members(0, len(self.tokens), ())

    @property
    def module(self):
        return self.path.split("/")[1]

    def word(self, index):
        return self.tokens[index].text if 0 <= index < len(self.tokens) else ""

    def line(self, index):
        """The line of a token, from 1."""
        return bisect.bisect(self._newlines, self.tokens[index].start) + 1

    def before(self, index):
        """The token before one, or the bracket that opens what ends there."""
        is_closing = self.word(index - 1) in CLOSERS.values()
        return self.partner.get(index - 1, index - 1) if is_closing else index - 1

    def slice(self, start, end):
        """The text from one token up to another one, without that."""
        return self.text[self.tokens[start].start:self.tokens[end - 1].end]

    def _read_members(self, index, end, path):
        member = None
        while index < end:
            text = self.word(index)
            is_free = self.word(index - 1) not in (".", "import")
            is_type = is_free and text in TYPES and self.word(index + 1) not in MEMBERS
            if is_free and (is_type or text in MEMBERS):
                if member:
                    member.end = index
                name, index = self._name(index)
                member = None if is_type else Member(path + name[-1:], text, index)
                if member:
                    self.members.append(member)
            if is_type:
                while index < end and self.word(index) != "{":
                    index = self.partner.get(index, index) + 1
                self._read_members(index + 1, self.partner.get(index, end), path + name)
            index = self.partner.get(index, index) if self.word(index) in CLOSERS else index
            index += 1
        if member:
            member.end = end

    def _name(self, index):
        """The name that a declaration gives, in parts, and the index of the last of them."""
        if self.word(index) in ("init", "deinit", "subscript"):
            return (self.word(index),), index
        index += 1
        parts = [self.word(index).strip("`")]
        while self.word(index + 1) == "." and self.tokens[index].kind == "word":
            index += 2
            parts.append(self.word(index))
        return tuple(parts), index

    def is_binary(self, index):
        """Whether an operator stands between blanks: no prefix, no `Set<Int>`, no `name?`."""
        token = self.tokens[index]
        return (token.kind == "operator" and self.text[token.start - 1].isspace()
                and self.text[token.end:token.end + 1].isspace())

    def is_break(self, index):
        """Whether a statement begins with this token, which is the first of its line."""
        is_first = self.line(index) != self.line(index - 1)
        if not is_first or self.word(index) in ("else", "where", "{", ":", "?"):
            return False
        return not (self.word(index).startswith(".") or self.is_binary(index)
                    or self.is_binary(index - 1) or self.word(index - 1) in (",", ":", "return"))

    def end_of_statement(self, index):
        """The index behind the statement that begins with this token."""
        while index < len(self.tokens) and self.word(index) not in CLOSERS.values():
            index = self.partner.get(index, index) + 1
            if index < len(self.tokens) and self.is_break(index):
                break
        return index

    def is_header(self, index):
        """Whether the token belongs to a condition, so that the next brace at its level opens the
        statement's body."""
        while self.word(index) not in STATEMENTS:
            if index == 0 or self.word(index - 1) in CLOSERS or self.is_break(index):
                return False
            index = self.before(index)
        return True

    def _ends_operand(self, index, stops):
        text = self.word(index)
        return text in stops or text == "?" and self.is_binary(index)

    def operands(self, index, stops):
        """Where the operand before an operator begins, and the one behind it ends."""
        start, end = index, index + 1
        while not (self._ends_operand(start - 1, stops) or self.word(start - 1) in CLOSERS):
            start = self.before(start)
            if self.is_break(start):
                break
        is_header = self.is_header(index)
        while not (self._ends_operand(end, stops) or self.word(end) in CLOSERS.values()):
            if self.word(end) == "{" and is_header or end > index + 1 and self.is_break(end):
                break
            end = self.partner.get(end, end) + 1
        return start, end
