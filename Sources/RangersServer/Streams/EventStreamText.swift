/// The text of server-sent events (WHATWG HTML, section 9.2).
struct EventStreamText {
    /// The kinds of messages; those of the event log have no name.
    enum Name: String, CaseIterable {
        /// The party with its newest events.
        case party
        /// The content states of the player's Live Activities.
        case cards
        /// The last message of a stream that the server ends.
        case closed
    }

    /// One message. Its data is the JSON of an event, of a party, or of `StreamCards` or
    /// `StreamClosed`.
    static let schema = JSONSchema.named(
        "StreamMessage",
        .fields(
            ["data": .text],
            optional: [
                // A message without a name is a "message" (WHATWG HTML, section 9.2.6).
                "event": .choice(["message"] + Name.allCases.map(\.rawValue)),
                "id": .pattern("^[0-9]+$"),
            ]))

    private(set) var bytes: [UInt8] = []

    /// A line that clients ignore: it shows that the connection lives.
    static let heartbeat = Array(":\n\n".utf8)

    /// Tells the client how long to wait before it connects again.
    mutating func retry(afterMilliseconds milliseconds: Int) {
        bytes += "retry: \(milliseconds)\n\n".utf8
    }

    /// Adds a message. A client that reconnects sends the newest `id` that it has.
    mutating func message(_ name: Name? = nil, id: Int? = nil, data: some Sequence<UInt8>) {
        if let name { bytes += "event: \(name.rawValue)\n".utf8 }
        if let id { bytes += "id: \(id)\n".utf8 }
        bytes += "data: ".utf8
        // JSON has no line breaks.
        bytes += data
        bytes += "\n\n".utf8
    }
}
