/// A request on its way in, and its response on its way out.
struct ServerStream {
    enum Phase {
        case arriving
        /// The handler has it, or it was refused.
        case handled
    }

    /// 0: the slot is free.
    var id: Int32 = 0
    var phase = Phase.handled
    var request = HTTP2Arrival()
    var response: [UInt8] = []
    private var responseOffset = 0

    /// Begins with another request in the room of an old one.
    mutating func begin(_ id: Int32) {
        self.id = id
        phase = .arriving
        request.clear()
        response = []
        responseOffset = 0
    }

    /// Moves on in the response's body, as far as the buffer has room.
    mutating func readResponse(
        into buffer: UnsafeMutableRawBufferPointer
    ) -> (count: Int, isLast: Bool) {
        let count = min(response.count - responseOffset, buffer.count)
        buffer.copyBytes(from: response[responseOffset..<responseOffset + count])
        responseOffset += count
        return (count, responseOffset == response.count)
    }
}

/// The streams of one server connection, in slots that keep their place and are used again: what
/// nghttp2 keeps for each stream is the slot's address, so that nothing is searched for.
final class ServerSlots {
    typealias Slot = UnsafeMutablePointer<ServerStream>

    private var all: [Slot] = []
    private var free: [Slot] = []

    deinit {
        for slot in all {
            slot.deinitialize(count: 1)
            slot.deallocate()
        }
    }

    func take(for stream: Int32) -> Slot {
        let slot = free.popLast() ?? make()
        slot.pointee.begin(stream)
        return slot
    }

    func giveBack(_ slot: Slot) {
        slot.pointee.id = 0
        free.append(slot)
    }

    private func make() -> Slot {
        let slot = Slot.allocate(capacity: 1)
        slot.initialize(to: ServerStream())
        all.append(slot)
        return slot
    }
}
