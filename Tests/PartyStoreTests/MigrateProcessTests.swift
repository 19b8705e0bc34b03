import Foundation
import Glibc
import Programs
import Testing

@testable import PartyStore

/// The process of `rangers migrate`, the program that this build has made.
@Suite("The process of rangers migrate", .timeLimit(.minutes(2)))
struct MigrateProcessTests {
    private let folder: TemporaryFolder
    private let uri: String

    init() throws {
        folder = try TemporaryFolder()
        uri = try folder.schemaURI()
    }

    private func rangers(_ arguments: String...) -> Program {
        let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        return Program(tests.deletingLastPathComponent().path + "/rangers", arguments)
    }

    /// Starts the program and kills it when it has printed some lines. Returns how many it printed.
    private func kill(_ program: Program, atLine line: Int) throws -> Int {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
        var program = program
        program.output = .descriptor(ends[1])
        let running = try program.start()
        Glibc.close(ends[1])
        defer { Glibc.close(ends[0]) }
        var (lines, byte) = (0, UInt8(0))
        while lines < line, read(ends[0], &byte, 1) == 1 {
            if byte == UInt8(ascii: "\n") { lines += 1 }
        }
        running.send(SIGKILL)
        running.waitForEnd()
        return lines
    }

    @Test("PR1: killed at each of its lines and repeated, it moves the whole game there and back")
    func killed() async throws {
        try await MovedGame.make(.sqlite, in: folder)
        let rows = try MovedGame.rows(.file(folder.file))
        let back = folder.file + ".back"
        for (source, target) in [(folder.file, uri), (uri, back)] {
            let program = rangers("migrate", "--from", source, "--to", target)
            for line in 1...6 { #expect(try kill(program, atLine: line) > 0) }
            let printed = try await program.printed(.printed)
            #expect(printed.end == 0, "\(printed.text)")
            let replay = try await rangers(
                "replay", target == uri ? "--store" : "--data", target
            ).printed(.printed)
            #expect(replay.end == 0)
            #expect(replay.text.contains("parties 1,") && replay.text.contains("differences 0"))
        }
        #expect(try MovedGame.rows(.database(folder.schema())) == rows)
        #expect(try MovedGame.rows(.file(back)) == rows)
        let doctor = try await rangers("doctor", "--data", folder.file).printed(.printed)
        #expect(doctor.text.contains("PROBLEM move      the game of \(folder.file) was moved to"))
    }

    @Test("what reads a data file reads a database, and what does not says what to use")
    func commands() async throws {
        try await MovedGame.make(.postgreSQL, in: folder)
        let shown = try await rangers("show", "--party", "p", "--store", uri).printed(.printed)
        #expect(shown.end == 0)
        #expect(shown.text.contains("Forest Dweller"))
        let why = try await rangers("why", "activity-1", "--store", uri).printed(.printed)
        #expect(why.end == 0)
        #expect(why.text.contains("Live Activity activity-1 of hero hero-1 in party p"))
        let replay = try await rangers("replay", "--all", "--store", uri).printed(.printed)
        #expect(replay.end == 0)
        let backup = try await rangers("backup", "copy.db", "--store", uri).printed(.printed)
        #expect(backup.end == 64)
        #expect(backup.text.contains("pg_dump"))
        let restore = try await rangers("restore", "copy.db", "--store", uri).printed(.printed)
        #expect(restore.end == 64)
        #expect(restore.text.contains("pg_restore"))
        // The server of the tests does without fsync.
        let doctor = try await rangers("doctor", "--store", uri).printed(.printed)
        #expect(doctor.end == 1)
        for line in [
            "PROBLEM database  fsync is off", "ok      schema    \(Schema.version)",
            "ok      rows      every checksum", "ok      db-clock  ",
        ] { #expect(doctor.text.contains(line), "\(doctor.text)") }
        let both = try await rangers(
            "show", "--party", "p", "--store", uri, "--data", folder.file
        ).printed(.printed)
        #expect(both.end == 64)
    }
}
