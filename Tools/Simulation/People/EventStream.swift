internal import HTTPServer
internal import RangersServer

/// One response of server-sent events. Its client takes nothing for a while now and then.
final class EventStream: @unchecked Sendable {
    // Safe to share: as the scheduler.
    private unowned let world: World
    private let scheduler: Scheduler
    private let life: LifeID
    private let onMessage: (String) -> Void
    private var dice: Dice
    private var pump: StreamPump?
    private var buffer: [UInt8] = []
    private var isOver = false
    private var isClosed = false

    private static let way: Int64 = 10
    /// How long a slow client takes nothing, in milliseconds.
    private static let slowness: (least: Int64, most: Int64) = (500, 14_000)
    private static let slowShare = 0.02

    private init(
        of life: LifeID, in world: World, _ dice: Dice, onMessage: @escaping (String) -> Void
    ) {
        self.world = world
        scheduler = world.scheduler
        self.life = life
        self.dice = dice
        self.onMessage = onMessage
    }

    /// Opens a stream of the server that serves now; `nil`: none does.
    static func open(
        _ request: Request, asGameMaster: Bool = false, in world: World, _ dice: Dice,
        onMessage: @escaping (String) -> Void
    ) async -> EventStream? {
        // Only the connection holds the server, so that nothing does that has ended.
        guard let (life, server) = world.node.serving else { return nil }
        let stream = EventStream(of: life, in: world, dice, onMessage: onMessage)
        await stream.open(request, asGameMaster: asGameMaster, on: server)
        return stream
    }

    /// Whether nothing more comes.
    var hasEnded: Bool { isOver || scheduler.isDead(life) }

    private func open(_ request: Request, asGameMaster: Bool, on server: Server) async {
        let way = world.node.clock.wait(dice.between(1, 20))
        let status: Int? = await scheduler.call(life, there: way, back: 1) { [self] in
            let response =
                asGameMaster
                ? await server.respond(toGameMaster: request) : await server.respond(to: request)
            // The stream has the pump.
            pump = StreamPump(response) { [weak self] bytes in self?.take(bytes) ?? .none }
            pump?.run()
            return response.status
        }
        if status != 200 { isOver = true }
    }

    func close() {
        isClosed = true
        guard !scheduler.isDead(life) else {
            pump = nil
            return
        }
        scheduler.spawn(as: life) { self.pump = nil }
    }

    // MARK: - In the server's life

    private func take(_ bytes: [UInt8]?) -> StreamPump.Room {
        let isSlow = dice.chance(Self.slowShare)
        // Nothing overtakes within a connection.
        scheduler.after(Self.way, as: 0) { [self] in read(bytes) }
        guard isSlow, bytes != nil else { return .some }
        // The slowness is the client's: it is no task of the server.
        scheduler.after(dice.between(Self.slowness.least, Self.slowness.most), as: 0) { [self] in
            guard !scheduler.isDead(life) else { return }
            scheduler.spawn(as: life) { self.pump?.run() }
        }
        return .none
    }

    // MARK: - In the world

    private func read(_ bytes: [UInt8]?) {
        guard let bytes else {
            isOver = true
            return
        }
        guard !isClosed else { return }
        scheduler.trace.note(.answer, bytes)
        let newline = UInt8(ascii: "\n")
        for byte in bytes {
            if byte == newline, buffer.last == newline {
                onMessage(String(decoding: buffer, as: UTF8.self))
                buffer.removeAll(keepingCapacity: true)
            } else {
                buffer.append(byte)
            }
        }
    }
}
