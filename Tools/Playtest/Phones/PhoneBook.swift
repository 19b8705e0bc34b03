internal import Isolation

/// All phones of a playtest, by push token: the receivers of the simulator's pushes.
package final class PhoneBook: Sendable {
    private struct State {
        var phones: [Phone] = []
        var owners: [String: Int] = [:]
        var unknownTokens = 0
        var devices: [StartableDevice] = []
        /// The devices, by push-to-start token.
        var deviceOwners: [String: Int] = [:]
        /// The newest broadcast of each channel, which Apple stores for late subscribers.
        var broadcasts: [String: Broadcast] = [:]
        /// The activity started on each device.
        var started: [Int: Int] = [:]

        /// Starts the activity with its own token, as the system does.
        mutating func begin(
            on device: Int, payload: [UInt8], priority: Int, receivedAt: Int64
        ) -> Phone? {
            let phone = devices[device].take(
                payload: payload, priority: priority, receivedAt: receivedAt)
            guard let phone else { return nil }
            phones.append(phone)
            started[device] = phones.count - 1
            owners[devices[device].pushToken] = phones.count - 1
            return phone
        }
    }

    private struct Broadcast {
        let payload: [UInt8]
        let priority: Int
        let receivedAt: Int64
    }

    private let state = Locked(State())

    package init() {}

    /// A phone's number in the book.
    package typealias Number = Int

    package func add(_ phone: Phone, token: String) -> Number {
        state.withLock { state in
            state.phones.append(phone)
            state.owners[token] = state.phones.count - 1
            return state.phones.count - 1
        }
    }

    /// Adds a spectator's phone, which receives the channel's newest broadcast at once.
    package func subscribe(_ phone: Phone, to channel: String) -> Number {
        state.withLock { state in
            state.phones.append(phone)
            let number = state.phones.count - 1
            state.owners[channel] = number
            guard let newest = state.broadcasts[channel] else { return number }
            state.phones[number].take(
                payload: newest.payload, priority: newest.priority, token: channel,
                receivedAt: newest.receivedAt)
            return number
        }
    }

    /// Delivers a broadcast to the channel's subscriber, if there is one already.
    package func deliver(
        broadcast payload: [UInt8], priority: Int, channel: String, receivedAt: Int64
    ) {
        state.withLock { state in
            state.broadcasts[channel] = Broadcast(
                payload: payload, priority: priority, receivedAt: receivedAt)
            guard let owner = state.owners[channel] else { return }
            state.phones[owner].take(
                payload: payload, priority: priority, token: channel, receivedAt: receivedAt)
        }
    }

    /// A device's number in the book.
    package typealias DeviceNumber = Int

    /// Adds a phone that supports push-to-start; replaces one with the same token.
    package func add(_ device: StartableDevice, startToken: String) -> DeviceNumber {
        state.withLock { state in
            state.devices.append(device)
            state.deviceOwners[startToken] = state.devices.count - 1
            return state.devices.count - 1
        }
    }

    /// Returns the activity that a push has started there, if any.
    package func activityStarted(on device: DeviceNumber) -> Number? {
        state.withLock { $0.started[device] }
    }

    package func device(_ number: DeviceNumber) -> StartableDevice {
        state.withLock { $0.devices[number] }
    }

    /// Assigns the phone's next token; the old one still reaches it until it is retired.
    package func give(token: String, to phone: Number) {
        state.withLock { $0.owners[token] = phone }
    }

    package func change(_ phone: Number, _ body: @Sendable (inout Phone) -> Void) {
        state.withLock { body(&$0.phones[phone]) }
    }

    package subscript(_ phone: Number) -> Phone { state.withLock { $0.phones[phone] } }

    package var all: [Phone] { state.withLock { $0.phones } }

    /// Pushes to unknown tokens.
    package var unknownTokens: Int { state.withLock { $0.unknownTokens } }

    /// Delivers a push; returns the phone's state after it.
    @discardableResult
    package func deliver(
        payload: [UInt8], priority: Int, token: String, receivedAt: Int64
    ) -> Phone? {
        state.withLock { state in
            if let device = state.deviceOwners[token] {
                return state.begin(
                    on: device, payload: payload, priority: priority, receivedAt: receivedAt)
            }
            guard let owner = state.owners[token] else {
                state.unknownTokens += 1
                return nil
            }
            state.phones[owner].take(
                payload: payload, priority: priority, token: token, receivedAt: receivedAt)
            return state.phones[owner]
        }
    }
}
