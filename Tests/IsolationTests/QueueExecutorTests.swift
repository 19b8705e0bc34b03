import Dispatch
import Isolation
import Testing

/// An actor that blocks its thread until others have done the same.
private actor Blocker {
    private let executor = QueueExecutor(label: "Blocker")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private var steps: [Int] = []

    func meet(_ meeting: DispatchSemaphore, _ others: DispatchSemaphore) {
        meeting.signal()
        others.wait()
    }

    func note(_ step: Int) { steps.append(step) }
    var notes: [Int] { steps }
}

@Suite struct QueueExecutorTests {
    @Test("actors that block do not need the pool's threads: more of them than cores can meet")
    func blocking() async {
        // Each blocks until the next one has arrived: with a shared thread none could.
        let semaphores = (0..<32).map { _ in DispatchSemaphore(value: 0) }
        await withTaskGroup(of: Void.self) { group in
            for index in semaphores.indices {
                group.addTask {
                    await Blocker().meet(
                        semaphores[index], semaphores[(index + 1) % semaphores.count])
                }
            }
        }
    }

    @Test("one actor's work stays in order, one piece at a time")
    func order() async {
        let actor = Blocker()
        for step in 0..<100 { await actor.note(step) }
        #expect(await actor.notes == Array(0..<100))
    }
}
