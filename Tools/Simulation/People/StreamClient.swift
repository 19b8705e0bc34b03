internal import HTTPServer

/// A client that follows a party by its event stream, and connects again whenever it ends. It
/// expects each event once and in order.
final class StreamClient: @unchecked Sendable {
    // Safe to share: as the scheduler.
    private unowned let person: Person
    private let scheduler: Scheduler
    private var stream: EventStream?
    private var streams = 0
    /// The number of the newest event.
    private var newest: Int64?

    private static let step: Int64 = 2000

    init(of person: Person) {
        self.person = person
        scheduler = person.scheduler
    }

    /// Follows until everything calms down.
    func follow() async {
        while !person.world.isCalm, scheduler.now < person.world.end {
            if stream?.hasEnded ?? true { await connect() }
            await person.world.pause(Self.step)
        }
        stream?.close()
    }

    private func connect() async {
        stream?.close()
        stream = nil
        guard person.isMember, let party = person.party.id else { return }
        streams += 1
        let dice = scheduler.dice("person \(person.number)", "stream \(streams)")
        var headers = ["authorization": "Bearer \(person.bearer)"]
        if let newest { headers["last-event-id"] = "\(newest)" }
        stream = await EventStream.open(
            Request(method: .get, path: "/v1/parties/\(party)/stream", headers: headers),
            in: person.world, dice
        ) { [weak self] in self?.take($0) }
    }

    private func take(_ message: String) {
        var (name, id): (String?, Int64?) = (nil, nil)
        for line in message.split(separator: "\n") {
            if line.hasPrefix("event: ") { name = String(line.dropFirst(7)) }
            if line.hasPrefix("id: ") { id = Int64(line.dropFirst(4)) }
        }
        guard let id else { return }
        if name == nil {
            if let newest, id != newest + 1 {
                person.world.find(
                    .IN7,
                    "the stream of person \(person.number) has event \(id) after \(newest)")
            }
        }
        newest = id
    }
}
