import Testing

@testable import APNsClient

@Suite("Bundle ids")
struct BundleIDTests {
    private func isAllowed(_ byte: UInt8) -> Bool {
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.".utf8.contains(byte)
    }

    @Test("every byte at every place of ids of 1 to 17 bytes", arguments: Array("a.zZ9".utf8))
    func everyByte(filler: UInt8) {
        var wrong: [String] = []
        let allowed = (UInt8.min...UInt8.max).map(isAllowed)
        for count in 1...17 {
            var id = [UInt8](repeating: filler, count: count)
            for place in 0..<count {
                for byte in UInt8.min...UInt8.max {
                    id[place] = byte
                    let isTaken = id.withUnsafeBufferPointer { BundleID.isWellFormed($0) }
                    if isTaken != allowed[Int(byte)] {
                        wrong.append("\(byte) at \(place) of \(count)")
                    }
                }
                id[place] = filler
            }
        }
        #expect(wrong == [])
    }

    @Test("a push type's suffix is refused wherever it stands, and nothing that only begins so")
    func suffix() {
        for count in 0...17 {
            let start = String(repeating: ".", count: count)
            #expect(!BundleID.isWellFormed("\(start)a.push-type.liveactivity"))
            #expect(!BundleID.isWellFormed("\(start).push-type."))
            #expect(BundleID.isWellFormed("\(start)a.push-type"))
            #expect(BundleID.isWellFormed("\(start)a.push-typ.e"))
        }
    }

    @Test("1 to 255 bytes")
    func length() {
        #expect(!BundleID.isWellFormed(""))
        #expect(BundleID.isWellFormed(String(repeating: "a", count: 255)))
        #expect(!BundleID.isWellFormed(String(repeating: "a", count: 256)))
    }
}
