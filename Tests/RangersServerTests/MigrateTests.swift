import Foundation
import Isolation
import OptionParsing
import PartyStore
import RangersServer
import Testing

/// `rangers migrate` and its proof.
@Suite("The proof of a moved game", .timeLimit(.minutes(2)))
struct MigrateTests {
    @Test("PR1: a copy that cannot be read is not proved, even if damage may be moved as it is")
    func unreadable() async throws {
        let stage = try await Stage.make()
        try await stage.start()
        await stage.server.server.drain()
        let (schema, address) = try await TwoNodes.database()
        let (file, back) = (GamePlace.file(stage.server.file), TestServer.freshFile())
        let database = GamePlace.database(address)
        let there = try await Migrate(from: file, to: database, damaged: .refused) { _ in }.run()
        #expect(there.contains("parties 1,") && there.contains("differences 0"))

        let lost = Migrate(from: database, to: .file(back), damaged: .kept) { line in
            if line.hasPrefix("replaying") { try? FileManager.default.removeItem(atPath: back) }
        }
        let failure = await #expect(throws: Migrate.Failure.self) { try await lost.run() }
        #expect(failure?.description.contains("could not be replayed") == true)

        let again = try await Migrate(
            from: database, to: .file(back), damaged: .refused
        ) { _ in }.run()
        #expect(again.contains("parties 1,") && again.contains("differences 0"))
        try await TwoNodes.query("DROP SCHEMA \(schema) CASCADE")
    }

    @Test(
        "of --data and --store the one that was typed counts",
        arguments: [
            (["--data", "a.db"], ["RANGERS_STORE": "postgresql://db/a"], "a.db"),
            (["--store", "postgresql://db/a"], ["RANGERS_DATA": "a.db"], "postgresql://db/a"),
            ([], ["RANGERS_DATA": "a.db"], "a.db"),
            ([], ["RANGERS_DATA": "a.db", "RANGERS_STORE": "postgresql://db/a"], nil),
            (["--data", "a.db", "--store", "postgresql://db/a"], [:], nil),
        ] as [([String], [String: String], String?)])
    func typed(arguments: [String], environment: [String: String], place: String?) throws {
        let options = Options(command: "rangers show", summary: "", PlaceOptions.reading)
        let values = try options.parse(arguments, environment: environment)
        guard let place else {
            #expect(throws: OptionsError.self) { try PlaceOptions.place(values) }
            return
        }
        #expect("\(try PlaceOptions.place(values))".hasSuffix(place))
    }
}
