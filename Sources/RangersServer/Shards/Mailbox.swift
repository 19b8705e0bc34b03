internal import GameLogic
internal import Isolation
internal import PartyStore
internal import PushPolicy

/// What other threads send to a shard: collected here, and taken all at once by its next turn.
final class Mailbox: Sendable {
    /// Requests that may be under way in a shard. It refuses more, so that an overloaded server
    /// responds at once and its memory stays bounded.
    static let requestsMax = 4096

    /// Everything that arrived since the last turn, each kind in the order of its arrival.
    struct Mail: Sendable {
        var requests: [ChangeRequest] = []
        var outcomes: [ReportedOutcome] = []
        var results: [WrittenBatch] = []
        var loads: [LoadedParty] = []
        var found: [StoredParty] = []
        /// Parties with scheduled work whose row is damaged.
        var damaged: [PartyID] = []
        var devices: [LoadedDevices] = []
        var retries: [StartRetry] = []
        var letters: [PartyLetter] = []
        /// Whether `found` contains every party with scheduled work.
        var hasFoundAll = false
    }

    private struct State: Sendable {
        var mail = Mail()
        var isOpen = true
        /// Requests that were taken and are not completed yet.
        var requestsUnderWay = 0
    }

    private let state = Locked(State())
    private let sleeper: Sleeper

    /// Wakes `sleeper` for each arrival.
    init(waking sleeper: Sleeper) { self.sleeper = sleeper }

    /// Refuses requests from now on, but still takes everything else.
    func close() { state.withLock { $0.isOpen = false } }

    /// Takes a request, or fails it with the reason for the refusal.
    func add(_ request: ChangeRequest) {
        let refusal = state.withLock { state -> ShardError? in
            guard state.isOpen else { return .stopping }
            guard state.requestsUnderWay < Self.requestsMax else { return .overloaded }
            state.requestsUnderWay += 1
            state.mail.requests.append(request)
            return nil
        }
        if let refusal { request.completion(.failure(refusal)) } else { sleeper.wake() }
    }

    /// Completes a request with its result. Only from here on is there room for another one.
    func complete(_ request: ChangeRequest?, _ result: Result<Void, any Error>) {
        guard let request else { return }
        if request.origin == .caller { state.withLock { $0.requestsUnderWay -= 1 } }
        request.completion(result)
    }

    /// Whether the mailbox takes requests.
    var isOpen: Bool { state.withLock { $0.isOpen } }

    var requestsUnderWay: Int { state.withLock { $0.requestsUnderWay } }

    func add(_ outcome: ReportedOutcome) { add { $0.outcomes.append(outcome) } }
    func add(_ result: WrittenBatch) { add { $0.results.append(result) } }
    func add(_ load: LoadedParty) { add { $0.loads.append(load) } }
    func add(_ found: [StoredParty], damaged: [PartyID]) {
        add {
            $0.found += found
            $0.damaged += damaged
        }
    }
    func foundAll() { add { $0.hasFoundAll = true } }
    func add(_ devices: LoadedDevices) { add { $0.devices.append(devices) } }
    func add(_ retry: StartRetry) { add { $0.retries.append(retry) } }
    func add(_ letters: [PartyLetter]) { add { $0.letters += letters } }

    private func add(_ body: (inout Mail) -> Void) {
        state.withLock { body(&$0.mail) }
        sleeper.wake()
    }

    func take() -> Mail {
        state.withLock { state in
            defer { state.mail = Mail() }
            return state.mail
        }
    }
}

/// A batch that the store has written or has failed to write.
struct WrittenBatch: Sendable {
    let number: Int
    let result: BatchResult
}

/// A party as the store returned it; `nil`: the party does not exist.
struct LoadedParty: Sendable {
    let id: PartyID
    let result: Result<StoredParty?, StoreError>
}

/// The devices of the players whom a party's change concerns, and the budgets of their phones.
struct LoadedDevices: Sendable {
    let party: PartyID
    /// `nil`: they could not be read.
    var devices: [StartDevice]?
    /// Those of new Live Activities, as far as they could be read.
    var phones: [PhoneRecord] = []
}

/// A push-to-start that APNs did not accept, and when to retry it.
struct StartRetry: Sendable {
    let party: PartyID
    let player: PlayerID
    let at: WallTime
}
