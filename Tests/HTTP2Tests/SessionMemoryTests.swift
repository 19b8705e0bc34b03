import CNGHTTP2
import Testing

@testable import HTTP2

@Suite("Memory of a session")
struct SessionMemoryTests {
    private let memory = SessionMemory()

    private func take(_ size: Int) throws -> UnsafeMutableRawPointer {
        let functions = memory.functions
        return try #require(functions.malloc(size, functions.mem_user_data))
    }

    private func release(_ piece: UnsafeMutableRawPointer?) {
        let functions = memory.functions
        functions.free(piece, functions.mem_user_data)
    }

    @Test(
        "Pieces hold what they should, side by side",
        arguments: [0, 1, 31, 32, 33, 2_047, 2_048, 2_049, 100_000])
    func sizes(size: Int) throws {
        let pieces = try (0..<4).map { _ in try take(size) }
        for (mark, piece) in pieces.enumerated() {
            #expect(UInt(bitPattern: piece) % 16 == 0)
            piece.initializeMemory(as: UInt8.self, repeating: UInt8(mark), count: size)
        }
        for (mark, piece) in pieces.enumerated() {
            let bytes = UnsafeRawBufferPointer(start: piece, count: size)
            #expect(!bytes.contains { $0 != UInt8(mark) })
        }
        pieces.forEach(release)
        release(nil)
    }

    @Test("What was given back is taken again for the same length")
    func reuse() throws {
        let first = try take(100)
        release(first)
        #expect(try take(200) != first)
        let again = try take(128)
        #expect(again == first)
    }

    @Test("calloc clears what others have written")
    func cleared() throws {
        let functions = memory.functions
        let used = try take(64)
        used.initializeMemory(as: UInt8.self, repeating: 7, count: 64)
        release(used)
        let piece = try #require(functions.calloc(8, 8, functions.mem_user_data))
        #expect(piece == used)
        #expect(!UnsafeRawBufferPointer(start: piece, count: 64).contains { $0 != 0 })
        release(piece)
    }

    @Test("realloc keeps what was written, wherever the piece goes", arguments: [10, 100, 5_000])
    func grown(size: Int) throws {
        let functions = memory.functions
        let piece = try take(10)
        piece.initializeMemory(as: UInt8.self, repeating: 9, count: 10)
        let grown = try #require(functions.realloc(piece, size, functions.mem_user_data))
        #expect(!UnsafeRawBufferPointer(start: grown, count: 10).contains { $0 != 9 })
        release(grown)
        let fresh = try #require(functions.realloc(nil, size, functions.mem_user_data))
        release(fresh)
    }
}
