import Foundation
import OptionParsing
import RangersServer
import Testing

@Suite("The server's version")
struct ServerVersionTests {
    @Test("it names the release, and the schema of a new data file")
    func schema() async throws {
        let server = try await TestServer()
        await server.server.drain()
        // SQLite keeps the schema's number at byte 60 of the file's header.
        let header = try Data(contentsOf: URL(filePath: server.file)).dropFirst(60).prefix(4)
        let schema = header.reduce(0) { $0 << 8 | Int($1) }
        #expect(header.count == 4)
        #expect(ServerVersion.text == "\(Version.current), schema \(schema)")
    }
}
