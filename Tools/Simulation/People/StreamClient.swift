internal import HTTPServer
internal import RangersServer

/// A client that follows a party by its event stream, and connects again whenever it ends. It
/// expects each event once and in order.
final class StreamClient: @unchecked Sendable {
    // Safe to share: as the scheduler.
    private unowned let person: Person
    private let scheduler: Scheduler
    private var dice: Dice
    private var connection: Connection?
    /// The number of the newest event.
    private var newest: Int64?
    private var events = 0

    /// One response.
    private final class Connection: @unchecked Sendable {
        // Safe to share: as the scheduler.
        let life: LifeID
        var pump: StreamPump?
        var buffer: [UInt8] = []
        /// When the newest bytes arrive: none overtake others.
        var arrival: Int64 = 0
        var isOver = false

        init(life: LifeID) { self.life = life }
    }

    private static let step: Int64 = 2000
    private static let way: Int64 = 10
    /// How long a slow client takes nothing, in milliseconds.
    private static let slowness: (least: Int64, most: Int64) = (500, 14_000)
    private static let slowShare = 0.02

    init(of person: Person) {
        self.person = person
        scheduler = person.scheduler
        dice = person.scheduler.dice("person \(person.number)", "stream")
    }

    /// Follows until everything calms down.
    func follow() async {
        while !person.world.isCalm, scheduler.now < person.world.end {
            if connection.map({ $0.isOver || scheduler.isDead($0.life) }) ?? true {
                await connect()
            }
            await person.world.pause(Self.step)
        }
        close()
    }

    private func connect() async {
        close()
        guard person.isMember, let party = person.party.id,
            let (life, server) = person.world.node.serving
        else { return }
        let new = Connection(life: life)
        connection = new
        var headers = ["authorization": "Bearer \(person.bearer)"]
        if let newest { headers["last-event-id"] = "\(newest)" }
        let request = Request(
            method: .get, path: "/v1/parties/\(party)/stream", headers: headers)
        let way = person.world.node.clock.wait(dice.between(1, 20))
        let status: Int? = await scheduler.call(life, there: way, back: 1) { [self] in
            let response = await server.respond(to: request)
            new.pump = StreamPump(response) { [self] bytes in take(bytes, from: new) }
            new.pump?.run()
            return response.status
        }
        if status != 200 { new.isOver = true }
    }

    private func close() {
        guard let old = connection else { return }
        connection = nil
        guard !scheduler.isDead(old.life) else { return }
        scheduler.spawn(as: old.life) { old.pump = nil }
    }

    // MARK: - In the server's life

    private func take(_ bytes: [UInt8]?, from connection: Connection) -> StreamPump.Room {
        let isSlow = dice.chance(Self.slowShare)
        // Nothing overtakes within a connection.
        scheduler.after(Self.way, as: 0) { [self] in read(bytes, from: connection) }
        guard isSlow, bytes != nil else { return .some }
        // The slowness is the client's: it is no task of the server.
        scheduler.after(dice.between(Self.slowness.least, Self.slowness.most), as: 0) {
            [scheduler] in
            guard !scheduler.isDead(connection.life) else { return }
            scheduler.spawn(as: connection.life) { connection.pump?.run() }
        }
        return .none
    }

    // MARK: - In the world

    private func read(_ bytes: [UInt8]?, from connection: Connection) {
        guard let bytes else {
            connection.isOver = true
            return
        }
        guard connection === self.connection else { return }
        scheduler.trace.note(.answer, bytes)
        let newline = UInt8(ascii: "\n")
        for byte in bytes {
            if byte == newline, connection.buffer.last == newline {
                take(String(decoding: connection.buffer, as: UTF8.self))
                connection.buffer.removeAll(keepingCapacity: true)
            } else {
                connection.buffer.append(byte)
            }
        }
    }

    private func take(_ message: String) {
        var (name, id): (String?, Int64?) = (nil, nil)
        for line in message.split(separator: "\n") {
            if line.hasPrefix("event: ") { name = String(line.dropFirst(7)) }
            if line.hasPrefix("id: ") { id = Int64(line.dropFirst(4)) }
        }
        guard let id else { return }
        if name == nil {
            events += 1
            if let newest, id != newest + 1 {
                person.world.find(
                    .IN7,
                    "the stream of person \(person.number) has event \(id) after \(newest)")
            }
        }
        newest = id
    }
}
