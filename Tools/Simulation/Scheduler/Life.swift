/// A server from its start to its death or end. 0 is the world: all that outlives servers.
package typealias LifeID = Int

/// What the scheduler knows of one life.
struct Life {
    enum State { case living, dead, buried }
    var state = State.living
    /// The root tasks that were spawned in it, by number.
    var roots: [Int: Task<Void, Never>] = [:]
    /// How a dead life lets go of what it holds.
    var burial: (@Sendable () async -> Void)?
}

/// A request of one life to another, whose response the caller waits for.
struct LifeCall {
    let caller: LifeID
    let callee: LifeID
    /// Resumes the caller: without a response.
    let lose: () -> Void
}
