package import PushPolicy

/// What a game master's key may do: the rights of its role and of all lower ones.
package enum Role: String, CaseIterable, Comparable, Sendable {
    /// Reads parties, ledgers and lists.
    case observer
    /// Decides about names and reports.
    case moderator
    /// Commands one party.
    case gameMaster = "gamemaster"
    /// Commands many parties, now or later.
    case director
    /// Manages keys, and pauses all pushes.
    case owner

    package static func < (left: Role, right: Role) -> Bool { left.number < right.number }
}

/// A game master, as their key shows.
package struct GameMaster: Hashable, Sendable {
    /// The key's name.
    package let name: String
    package let role: Role

    package init(name: String, role: Role) {
        self.name = name
        self.role = role
    }
}

/// A named key of a game master. The key itself is never stored.
package struct AdminKeyRecord: Hashable, Sendable {
    package let holder: GameMaster
    /// SHA-256 of the key.
    package let hash: [UInt8]
    package let createdAt: WallTime
    /// The name of the key that created it.
    package let createdBy: String

    package init(holder: GameMaster, hash: [UInt8], createdAt: WallTime, createdBy: String) {
        self.holder = holder
        self.hash = hash
        self.createdAt = createdAt
        self.createdBy = createdBy
    }
}

/// One call of the admin API: a row of the audit log. It has ids, never names of players, and no
/// secret.
package struct AuditRecord: Hashable, Sendable {
    /// `nil`: nobody has the key of the call.
    package let caller: GameMaster?
    /// What was called: "POST /v1/admin/parties/{party}/boss".
    package let action: String
    /// The id of what it was called on.
    package let target: String?
    /// JSON objects: what the call found, and what it left.
    package let before: String?
    package let after: String?
    /// Why, in the caller's words.
    package let reason: String?
    /// From which address the call came; `nil`: the server itself.
    package let address: String?
    /// The command in the call's body, where the action does not name it: "storm".
    package let command: String?
    /// Whether the call only asked what it would do.
    package let isDryRun: Bool
    /// The response's HTTP status.
    package let status: Int
    /// When; of several calls the last one.
    package let at: WallTime
    /// How many equal reads the row stands for.
    package let count: Int

    package init(
        caller: GameMaster?, action: String, target: String?, before: String? = nil,
        after: String? = nil, reason: String? = nil, address: String? = nil,
        command: String? = nil, isDryRun: Bool = false, status: Int, at: WallTime, count: Int = 1
    ) {
        self.caller = caller
        self.action = action
        self.target = target
        self.before = before
        self.after = after
        self.reason = reason
        self.address = address
        self.command = command
        self.isDryRun = isDryRun
        self.status = status
        self.at = at
        self.count = count
    }
}

/// A row of the audit log; numbers grow and are never reused.
package struct LoggedCall: Hashable, Sendable {
    package let number: Int64
    package let call: AuditRecord

    package init(number: Int64, call: AuditRecord) {
        self.number = number
        self.call = call
    }
}

/// A page of the audit log, the newest call first.
package struct AuditPage: Hashable, Sendable {
    package let calls: [LoggedCall]
    /// The next page has the calls before this number; `nil`: this is the last one.
    package let next: Int64?

    package init(calls: [LoggedCall], next: Int64?) {
        self.calls = calls
        self.next = next
    }
}

/// The result of writing a key.
package enum AdminKeyPut: Hashable, Sendable {
    case written
    /// There are too many keys.
    case noRoom
}

/// A pause of all pushes, which an owner has ordered.
package struct PushPause: Hashable, Sendable {
    package let since: WallTime
    /// The name of the owner's key.
    package let by: String

    package init(since: WallTime, by: String) {
        self.since = since
        self.by = by
    }
}
