/// A request being received, and its response being sent.
struct ServerStream {
    enum Phase {
        case arriving
        /// The handler has it, or it was refused.
        case handled
    }

    /// 0: the slot is free.
    var id: Int32 = 0
    var phase = Phase.handled
    var request = HTTP2Request()
    var response: [UInt8] = []
    private var responseOffset = 0

    /// Begins another request in the memory of the last one.
    mutating func begin(_ id: Int32) {
        self.id = id
        phase = .arriving
        request.clear()
        response = []
        responseOffset = 0
    }

    /// Reads the next part of the response's body, as much as fits into the buffer.
    mutating func readResponse(
        into buffer: UnsafeMutableRawBufferPointer
    ) -> (count: Int, isLast: Bool) {
        let count = min(response.count - responseOffset, buffer.count)
        buffer.copyBytes(from: response[responseOffset..<responseOffset + count])
        responseOffset += count
        return (count, responseOffset == response.count)
    }
}

/// The streams of one server connection, in slots with fixed addresses that are reused. nghttp2
/// stores the slot's address for each stream, which avoids searches.
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

    func release(_ slot: Slot) {
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
