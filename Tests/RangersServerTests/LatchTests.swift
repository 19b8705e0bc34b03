import Isolation
import Testing

@testable import RangersServer

/// A latch opens once, for all tasks that wait for it.
@Suite(.timeLimit(.minutes(1))) struct LatchTests {
    @Test("a cancelled wait ends at once, and a later one goes on until the latch opens")
    func cancelled() async {
        let latch = Latch()
        let first = Task { await latch.wait() }
        first.cancel()
        await first.value
        let isOpen = Locked(false)
        let second = Task {
            await latch.wait()
            return isOpen.withLock { $0 }
        }
        for _ in 0..<100 { await Task.yield() }
        isOpen.withLock { $0 = true }
        latch.open()
        #expect(await second.value)
    }

    @Test("all who wait go on when the latch opens, and nobody waits for an open one")
    func opened() async {
        let latch = Latch()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<200 { group.addTask { await latch.wait() } }
            latch.open()
        }
        await latch.wait()
    }
}
