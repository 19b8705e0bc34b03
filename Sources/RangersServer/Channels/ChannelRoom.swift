internal import APNsClient
internal import Isolation

/// How many more channels players may open: Apple limits their number per app.
///
/// A part of them is a reserve, for the operator, for another server of the app, and for what has
/// been opened since Apple's list was read.
final class ChannelRoom: Sendable {
    /// The channels that players cannot open.
    static let reserve = BroadcastChannel.countMax / 10

    /// Those on Apple's list at the last sweep, and those opened since.
    private let known = Locked(0)

    /// Notes the length of Apple's list.
    func note(listed count: Int) { known.withLock { $0 = count } }

    /// Takes the place of one more channel. Returns whether there was one.
    func take() -> Bool {
        known.withLock { known in
            guard known < BroadcastChannel.countMax - Self.reserve else { return false }
            known += 1
            return true
        }
    }

    /// Returns a place, because no channel was opened.
    func giveBack() { known.withLock { $0 = max(0, $0 - 1) } }
}
