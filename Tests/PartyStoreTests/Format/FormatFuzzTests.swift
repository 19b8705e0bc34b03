import Content
import ByteCoding
import Foundation
import GameLogic
import PushPolicy
import Testing

@testable import PartyStore

/// Damaged rows, as if their checksums were right: each is refused, or gives a value that can be
/// written, read and played. None of them traps.
@Suite struct FormatFuzzTests {
    /// Damaged rows of all seeds together; more when the environment says so (a million takes
    /// long without optimisation).
    static let rowCount =
        ProcessInfo.processInfo.environment["FORMAT_FUZZ_ROWS"].flatMap { Int($0) } ?? 100_000
    static let seeds = UInt64(1)...20

    @Test("a damaged row is refused, or is a row", arguments: seeds)
    func damaged(seed: UInt64) throws {
        var dice = SeededRandom(seed: seed)
        let rows =
            StoredRow.rows(of: try PlayedParty(seed: seed)) + StoredRow.others
            + (try GoldenRows.all().map(\.row))
        // Every kind as often as the others.
        let kinds = StoredRow.Kind.allCases.map { kind in rows.filter { $0.kind == kind } }
        for number in 0..<Self.rowCount / Self.seeds.count {
            let ofKind = kinds[number % kinds.count]
            var row = ofKind[dice.draw(in: 0...ofKind.count - 1)]
            row.damage(&dice)
            guard let again = try? row.rewritten() else { continue }
            row.bytes = again
            #expect(throws: Never.self) { try row.rewritten() }
            if row.kind == .party, number % 50 == 0 { play(try row.party()) }
        }
    }

    /// Whatever the numbers are, game and policy go on with them.
    private func play(_ stored: StoredParty) {
        var stored = stored
        let now = PlayedParty.noon.adding(seconds: 60)
        let time = stored.clock.gameTime(at: now)
        let events =
            stored.party.advance(to: time)
            + stored.party.advance(to: EmbeddedPacks.classic.timeLimit)
        _ = PushPlanner.plan(
            events, party: stored.party, version: stored.version, activities: &stored.activities,
            now: now)
        PushPlanner.recover(activities: &stored.activities, now: now)
        _ = PushPlanner.release(party: stored.party, activities: &stored.activities, now: now)
        _ = PushPlanner.nextReleaseAt(activities: stored.activities, now: now)
        _ = stored.party.nextChangeAt.map { stored.clock.wallTime(of: $0) }
    }

    @Test("a row that is cut off anywhere is refused")
    func truncated() throws {
        for (name, row) in try GoldenRows.all() {
            for count in 0..<row.bytes.count {
                var cut = row
                cut.bytes = Array(row.bytes.prefix(count))
                #expect(throws: FormatError.self, "\(name) of \(count) bytes") {
                    try cut.rewritten()
                }
            }
        }
    }

    @Test("a row with a byte too many is refused")
    func trailing() throws {
        for (name, row) in try GoldenRows.all() {
            var long = row
            long.bytes.append(0)
            #expect(throws: FormatError.trailingBytes(1), "\(name)") { try long.rewritten() }
        }
    }
}

extension StoredRow {
    /// One to four faults: flipped bits, other numbers, bytes too many or too few.
    fileprivate mutating func damage(_ dice: inout SeededRandom) {
        for _ in 1...dice.draw(in: 1...4) {
            guard !bytes.isEmpty else { return }
            let place = dice.draw(in: 0...bytes.count - 1)
            switch dice.draw(in: 0...6) {
            case 0: bytes[place] ^= 1 << UInt8(dice.draw(in: 0...7))
            case 1: bytes[place] = UInt8(dice.draw(in: 0...255))
            case 2: bytes[place] = [0, 1, 0x7f, 0x80, 0xff][dice.draw(in: 0...4)]
            case 3: bytes.insert(UInt8(dice.draw(in: 0...255)), at: place)
            case 4: bytes.remove(at: place)
            case 5: bytes.removeLast(dice.draw(in: 0...min(8, bytes.count)))
            default: bytes[place] = bytes[place] &+ (dice.draw(in: 0...1) == 0 ? 1 : 255)
            }
        }
    }
}
