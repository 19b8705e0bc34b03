import OptionParsing
import RangersServer
import Testing

@testable import Bench

@Suite struct ConsoleBenchTests {
    @Test("a total is the last whole line of the output")
    func totals() throws {
        #expect(StreamReading.Total(lastLineOf: "") == nil)
        #expect(StreamReading.Total(lastLineOf: "64 1") == nil)
        let total = try #require(StreamReading.Total(lastLineOf: "1 2 3\n64 500 70000\n64 6"))
        #expect(total.open == 64)
        #expect(total.messages == 500)
        #expect(total.bytes == 70_000)
    }

    @Test("what the bench tells its reader is what the reader understands")
    func roundTrip() throws {
        let settings = StreamReading.Settings(port: 8080, listFile: "/tmp/streams")
        let arguments = Array(settings.arguments.dropFirst(2))
        let read = try StreamReading.Settings(
            BenchOptions.readStreams.parse(arguments, environment: [:]))
        #expect(read == settings)
    }

    @Test("three rounds with 1,000 parties and 64 consoles, by default")
    func options() throws {
        func settings(_ arguments: String...) throws -> ConsoleBench.Settings {
            try ConsoleBench.Settings(BenchOptions.console.parse(arguments, environment: [:]))
        }
        #expect(try settings() == ConsoleBench.Settings())
        #expect(try settings("--parties=7").parties == 7)
        #expect(try settings("--quick").rounds == 1)
        #expect(throws: OptionsError.self) { try settings("--parties=0") }
    }
}
