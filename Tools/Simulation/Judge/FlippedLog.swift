/// A write-ahead log in which a bit has flipped, as it was before: what a server must find out.
struct FlippedLog {
    private static let headerBytes = 32
    private static let frameHeadBytes = 24

    /// How many transactions lie whole behind the one with the bit.
    let transactionsBehind: Int

    /// `nil`: the bit lies behind all that counts.
    init?(_ log: [UInt8], byte: Int) {
        func word(_ place: Int) -> Int {
            log[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
        }
        guard log.count > Self.headerBytes else { return nil }
        let frameBytes = Self.frameHeadBytes + word(8)
        guard frameBytes > 512 else { return nil }
        var ends: [Int] = []
        var place = Self.headerBytes
        while place + frameBytes <= log.count, word(place + 8) == word(16),
            word(place + 12) == word(20)
        {
            place += frameBytes
            if word(place - frameBytes + 4) > 0 { ends.append(place) }
        }
        guard let last = ends.last, byte < last else { return nil }
        transactionsBehind = ends.count { $0 > byte } - 1
    }
}

extension Judge {
    /// Notes a bit that has flipped while no server ran. A log with whole transactions behind it
    /// must be refused: SQLite would drop them without a word.
    package func noteFlip(of byte: Int, in name: String, log: [UInt8]) {
        tell("a bit of byte \(byte) of \(name) flips")
        guard name == ServerHost.path + "-wal", let flipped = FlippedLog(log, byte: byte),
            flipped.transactionsBehind > 0
        else { return }
        flippedLog = flipped
    }

    /// Judges the next start.
    func judgeStart(of life: LifeID, failure: String?) {
        defer { flippedLog = nil }
        guard let flippedLog, failure == nil else { return }
        note(
            .IN6,
            """
            server \(life) has taken a log with a flipped bit and \
            \(flippedLog.transactionsBehind) whole transactions behind it, which are lost
            """)
    }
}
