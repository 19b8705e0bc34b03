import Isolation
import Testing

@Suite struct LockedTests {
    @Test("no change is lost, however many tasks make them")
    func contention() async {
        let counter = Locked(0)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<2_000 { counter.withLock { $0 += 1 } }
                }
            }
        }
        #expect(counter.withLock { $0 } == 16_000)
    }

    @Test("two values change together or not at all")
    func consistency() async {
        let pair = Locked((0, 0))
        let isConsistent = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<1_000 { pair.withLock { $0 = ($0.0 + 1, $0.1 + 1) } }
                    return pair.withLock { $0.0 == $0.1 }
                }
            }
            return await group.reduce(true) { $0 && $1 }
        }
        #expect(isConsistent)
    }

    @Test("an error leaves the lock open")
    func throwing() {
        struct Refused: Error {}
        let value = Locked(1)
        #expect(throws: Refused.self) {
            try value.withLock { value throws(Refused) in
                value = 2
                throw Refused()
            }
        }
        #expect(value.withLock { $0 } == 2)
    }
}
