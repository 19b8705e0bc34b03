import HTTPServer
import Isolation
import Playtest
import RangersServer
import Testing

@testable import PartyStore

/// PR10: damage at rest is found by a check of all rows, also where nobody reads.
@Suite("Damaged parties at rest", .timeLimit(.minutes(2)))
struct DamagedPartiesTests {
    /// A server that starts on a file with a party at rest, after `sql`.
    private func restarted(after sql: String) async throws -> Stage {
        let stage = try await Stage.make()
        await stage.server.server.drain()
        let database = try Database(path: stage.server.file, access: .readWrite)
        try database.execute("PRAGMA foreign_keys = OFF")
        try database.execute(sql)
        let server = try await TestServer(
            file: stage.server.file, clock: VirtualClock(now: stage.server.clock.now),
            checking: .always)
        return stage.moved(to: server)
    }

    private func frozen(_ stage: Stage) async -> [Value] {
        await stage.server.admin(.get, "/v1/admin/frozen-parties").body["parties"].array
    }

    private func log(_ stage: Stage) -> String { stage.server.logged.withLock { $0 } }

    @Test(
        "PR10: a damaged party is frozen, counted, logged and listed without being read",
        arguments: [
            ("UPDATE parties SET version = version + 1", "its checksum is"),
            ("UPDATE activities SET crc = crc + 1", "activities activity-1"),
            ("DELETE FROM activities", "not registered"),
        ])
    func listed(sql: String, words: String) async throws {
        let stage = try await restarted(after: sql)
        #expect(
            await stage.server.step(until: {
                await !frozen(stage).isEmpty && log(stage).contains(words)
            }))
        let parties = await frozen(stage)
        #expect(parties.map(\.["party"].string) == [stage.party])
        // The start reads the party too, and may be first.
        let fault = parties.first?["fault"].string ?? ""
        #expect(
            fault.contains(words) || fault == "its row was found damaged at startup", "\(fault)")
        #expect(stage.server.metrics.value(.partiesFrozen) == 1)
        #expect(stage.server.metrics.value(.corruptRows) == 1)
        #expect(log(stage).contains("a party's row is corrupt"))
        await stage.server.server.drain()
    }

    @Test(
        "PR10: a missing membership and a damaged row of the journal are logged, and freeze no one",
        arguments: [
            ("DELETE FROM memberships", "memberships of party"),
            ("UPDATE journal SET crc = crc + 1", "journal "),
        ])
    func logged(sql: String, words: String) async throws {
        let stage = try await restarted(after: sql)
        #expect(await stage.server.step(until: { log(stage).contains("the file is damaged") }))
        #expect(log(stage).contains(words))
        #expect(log(stage).contains("a row is corrupt"))
        #expect(stage.server.metrics.value(.corruptRows) > 0)
        #expect(await frozen(stage).isEmpty)
        await stage.server.server.drain()
    }

    @Test("PR10: a damaged row is counted whenever it is read, and served to nobody")
    func read() async throws {
        let stage = try await Stage.make()
        try Database(path: stage.server.file, access: .readWrite)
            .execute("UPDATE heroes SET crc = crc + 1")
        for reads in 1...3 {
            #expect(await stage.panda.send(.get, "/v1/heroes").status == 503)
            #expect(stage.server.metrics.value(.corruptRows) == Double(reads))
        }
        #expect(log(stage).contains("a row is corrupt"))
        await stage.server.server.drain()
    }

    @Test("the control: a sound file has no damaged party")
    func sound() async throws {
        let stage = try await restarted(after: "SELECT 1")
        #expect(await stage.server.step(until: { log(stage).contains("the file is sound") }))
        #expect(stage.server.metrics.value(.corruptRows) == 0)
        #expect(await frozen(stage).isEmpty)
        await stage.server.server.drain()
    }
}
