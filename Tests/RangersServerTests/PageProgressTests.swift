import Isolation
import PushPolicy
import Testing

@testable import RangersServer

/// The state of one browser phone's stream: the table above its type.
@Suite("The stream of a browser phone")
struct PageProgressTests {
    private static let now = WallTime(milliseconds: 1_000_000)

    /// A stream, and the outcomes that it has settled, by the pushes' payloads.
    private final class Scene {
        private var progress = PageProgress()
        private(set) var settled: [String] = []

        func hand(_ name: UInt8, expires: WallTime = now, isEnd: Bool = false) {
            let push = PagePush(payload: [name], alert: nil, expiration: expires, isEnd: isEnd)
            note(progress.hand(PageProgress.Handed(push: push, report: { _ in })))
        }

        func next(at wall: WallTime = now) -> String {
            let (step, settled) = progress.next(at: wall)
            note(settled)
            return switch step {
            case .wait: "wait"
            case .push(let push): "push \(push.payload[0])"
            case .heartbeat: "heartbeat"
            case .closed(let end): "closed \(end.rawValue)"
            case .end: "end"
            }
        }

        func beat() { progress.beat() }
        func close(_ end: PageProgress.End) { progress.close(end) }
        func gone() { note(progress.gone()) }

        private func note(_ new: [PageProgress.Settled]) {
            settled += new.map { "\($0.handed.push.payload[0]) \($0.outcome)" }
        }
    }

    @Test("a push is accepted once the page has taken it, not when it is handed over")
    func accepted() {
        let scene = Scene()
        #expect(scene.next() == "wait")
        scene.hand(1)
        #expect(scene.next() == "push 1")
        #expect(scene.settled == [])
        #expect(scene.next() == "wait")
        #expect(scene.settled == ["1 accepted"])
    }

    @Test("of what waits while the page takes nothing, only the newest is kept")
    func newest() {
        let scene = Scene()
        scene.hand(1)
        #expect(scene.next() == "push 1")
        scene.hand(2)
        scene.hand(3)
        #expect(scene.settled == ["2 lost"])
        #expect(scene.next() == "push 3")
        #expect(scene.settled == ["2 lost", "1 accepted"])
    }

    @Test("an expired push is not written")
    func expired() {
        let scene = Scene()
        scene.hand(1, expires: Self.now)
        #expect(scene.next(at: Self.now.adding(milliseconds: 1)) == "wait")
        #expect(scene.settled == ["1 expired"])
        scene.hand(2, expires: Self.now)
        #expect(scene.next() == "push 2")
    }

    @Test("what a page was taking when it went is unknown, and nobody gets the next")
    func gone() {
        let scene = Scene()
        scene.hand(1)
        #expect(scene.next() == "push 1")
        scene.hand(2)
        scene.gone()
        scene.hand(3)
        scene.gone()
        #expect(scene.settled == ["1 lost", "2 nobody", "3 nobody"])
        #expect(scene.next() == "end")
    }

    @Test("a heartbeat comes when nothing else does, once")
    func heartbeats() {
        let scene = Scene()
        scene.beat()
        #expect(scene.next() == "heartbeat")
        #expect(scene.next() == "wait")
        scene.beat()
        scene.hand(1)
        #expect(scene.next() == "push 1")
        #expect(scene.next() == "wait")
    }

    @Test("a closed stream says why, then ends", arguments: PageProgress.End.allCases)
    func closed(_ end: PageProgress.End) {
        let scene = Scene()
        scene.hand(1)
        scene.close(end)
        scene.hand(2)
        #expect(scene.next() == "closed \(end.rawValue)")
        #expect(scene.settled == ["2 nobody", "1 nobody"])
        #expect(scene.next() == "end")
    }

    @Test("nothing follows the end of an activity")
    func end() {
        let scene = Scene()
        scene.hand(1, isEnd: true)
        #expect(scene.next() == "push 1")
        scene.hand(2)
        #expect(scene.next() == "end")
        #expect(scene.settled == ["1 accepted", "2 nobody"])
    }
}
