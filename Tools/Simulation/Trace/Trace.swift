/// What happened in a run, as a rolling hash: runs are equal if their hashes are. In words only when
/// asked, by playing the run again.
package final class Trace {
    /// What a record is about.
    package enum Kind: UInt64, Sendable {
        case job = 1, timer, life, lane, commit, disk, push, response, render, look, request, answer
        case fault, log, people, judge, other
    }
    @exclusivity(unchecked) package private(set) var hash: UInt64 = 0x9e37_79b9_7f4a_7c15
    @exclusivity(unchecked) package private(set) var count = 0
    /// Ignores all that it is told, while the dead are buried.
    @exclusivity(unchecked) var isMuted = false
    package let tells: Bool
    /// The run in words.
    package private(set) var story: [String] = []
    /// The hash after every so many records, to find where two runs part.
    package private(set) var marks: [UInt64] = []
    private let markEvery: Int

    package init(tells: Bool = false, markEvery: Int = 0) {
        self.tells = tells
        self.markEvery = markEvery
    }

    @inline(__always)
    private func mix(_ bits: UInt64) {
        let mixed = (hash ^ bits) &* 0xff51_afd7_ed55_8ccd
        hash = mixed ^ (mixed >> 32)
    }

    package func note(_ kind: Kind, _ a: UInt64 = 0, _ b: UInt64 = 0) {
        guard !isMuted else { return }
        mix(kind.rawValue)
        mix(a)
        mix(b)
        count += 1
        if markEvery > 0, count % markEvery == 0 { marks.append(hash) }
    }

    package func note(_ kind: Kind = .other, _ bytes: some Collection<UInt8>) {
        let done: Void? = bytes.withContiguousStorageIfAvailable { note(kind, $0) }
        if done == nil { Array(bytes).withUnsafeBufferPointer { note(kind, $0) } }
    }

    private func note(_ kind: Kind, _ bytes: UnsafeBufferPointer<UInt8>) {
        guard !isMuted else { return }
        let raw = UnsafeRawBufferPointer(bytes)
        var offset = 0
        while offset + 8 <= raw.count {
            mix(raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            offset += 8
        }
        var rest: UInt64 = 0
        while offset < raw.count {
            rest = rest << 8 | UInt64(raw[offset])
            offset += 1
        }
        note(kind, UInt64(raw.count), rest)
    }

    /// Adds a line to the story, if one is told.
    package func tell(_ words: @autoclosure () -> String) {
        if tells, !isMuted { story.append(words()) }
    }
}
