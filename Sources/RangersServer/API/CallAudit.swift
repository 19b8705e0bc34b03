internal import GameLogic
internal import HTTPServer
internal import Isolation
internal import JSONWriter
internal import PartyStore
internal import PushPolicy

/// The audit of one call of the admin API.
///
/// A handler that changes something passes `record(…)` to the store, which writes it in the
/// transaction of the change, and then calls `noteWritten`. Every other call, and every refused
/// one, gets its row before its response; equal reads within a minute share a row (`RepeatedReads`).
/// So neither a change nor a response exists without a row.
final class CallAudit: Sendable {
    private struct State {
        var caller: GameMaster?
        /// What the body says of the call.
        var subject: Subject?
        var isWritten = false
    }

    /// What a call is about that its path does not say.
    struct Subject: Sendable {
        let command: String
        let target: String?
        let isDryRun: Bool
    }

    private let action: String
    private let address: String?
    private let isRead: Bool
    private let target: String?
    private let state = Locked(State())

    init(of request: Request, to route: APIRoute) {
        action = "\(route.method.rawValue) \(route.template)"
        target = Self.target(of: request)
        isRead = route.method == .get
        address = request.client.text
    }

    /// Returns the ids in the path. What is not an id is not kept, because it may be a secret.
    private static func target(of request: Request) -> String? {
        let ids = request.parameters.map { id($0.value, of: $0.key) }
        guard !ids.isEmpty, ids.allSatisfy({ $0 != nil }) else { return nil }
        return ids.compactMap(\.self).joined(separator: " ")
    }

    /// Returns a text of a request if it is an id.
    static func id(_ text: String, of field: String) -> String? {
        let limit = field == "key" ? ManageKeys.nameLengthMax : targetLengthMax
        return try? Text.identifier(text, field: field, limit: limit)
    }

    private static let targetLengthMax = 100

    func note(_ caller: GameMaster) { state.withLock { $0.caller = caller } }

    func note(_ subject: Subject) { state.withLock { $0.subject = subject } }

    /// Returns the row of a call that responds with this status. `before` and `after` are JSON
    /// objects.
    func record(
        status: Int, before: [UInt8]? = nil, after: [UInt8]? = nil, on target: String? = nil,
        because reason: String? = nil, at now: WallTime
    ) -> AuditRecord {
        let (caller, subject) = state.withLock { ($0.caller, $0.subject) }
        return AuditRecord(
            caller: caller, action: action, target: target ?? subject?.target ?? self.target,
            before: before.map { String(decoding: $0, as: UTF8.self) },
            after: after.map { String(decoding: $0, as: UTF8.self) }, reason: reason,
            address: address, command: subject?.command, isDryRun: subject?.isDryRun ?? false,
            status: status, at: now)
    }

    /// Notes that the row is durable.
    func noteWritten() { state.withLock { $0.isWritten = true } }

    /// Writes the row, unless the change has written it.
    func finish(status: Int, in game: Game) async throws {
        let (caller, isWritten) = state.withLock { ($0.caller, $0.isWritten) }
        // Anyone can make calls with unknown keys, so all of them would let a stranger fill the log.
        guard !isWritten,
            caller != nil || game.limits.take(.unknownKeyRecords, .everybody) == nil
        else { return }
        let record = record(status: status, at: game.now)
        let isCounted = isRead && status < 400
        if isCounted, game.repeatedReads.counts(record) { return noteWritten() }
        let ended = game.repeatedReads.takeEnded(at: record.at)
        do throws(StoreError) {
            try await game.store.append(ended + [record], epoch: game.epoch)
        } catch {
            game.repeatedReads.putBack(ended)
            throw error
        }
        if isCounted { game.repeatedReads.noteWritten(record) }
        noteWritten()
    }
}

extension Call {
    /// The calling game master. Routes with `.admin` always have one.
    var gameMaster: GameMaster {
        get throws(Problem) {
            guard case .gameMaster(let master) = caller else { throw Problem.unauthorized }
            return master
        }
    }

    /// Returns the audit of this call. Routes with `.admin` always have one.
    func requireAudit() throws(Problem) -> CallAudit {
        guard let audit else { throw Problem.unauthorized }
        return audit
    }

    /// Changes a party. The change and the row of this call, with the party's state before and
    /// after, are written together.
    func changeAsGameMaster<Value: Sendable>(
        _ party: PartyID, because reason: String? = nil,
        _ body: @escaping @Sendable (inout PartyChange) throws -> Value
    ) async throws -> Value {
        let audit = try requireAudit()
        let value = try await game.shards.change(party) { change in
            let before = change.stored.auditJSON
            let value = try body(&change)
            change.note(
                audit.record(
                    status: 200, before: before, after: change.stored.auditJSON,
                    on: party.rawValue, because: reason, at: change.now))
            return value
        }
        audit.noteWritten()
        return value
    }
}

extension StoredParty {
    /// What a game master's command can change, with ids in place of names.
    fileprivate var auditJSON: [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.field("nextEvent", party.nextSequence)
        json.field("phase", party.adventure?.phase.name)
        json.object("health") { json in
            for member in party.members {
                json.key(named: member.hero.id.rawValue)
                json.value(Double(member.health.thousandths) / 1000)
            }
        }
        json.endObject()
        return json.bytes
    }
}
