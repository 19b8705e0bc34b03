internal import GameLogic
internal import JSONReader

/// Reads the stages of a quest, and the ways between them.
struct StageReader {
    static let stagesMax = 12
    static let stepsMax = Pack.stepsMax
    static let forksMax = 4
    static let forkSeconds = 15...60
    /// Where a way leads that ends the quest.
    static let boss = "boss"

    let things: ThingReader
    let foes: [Foe: FoeTraits]
    let hasTales: Bool

    /// A stage before its ways are known by their places.
    private struct Draft {
        let id: String
        let node: Node
        let stage: Pack.Stage
        var next: (name: String, node: Node)?
        var fork: ForkDraft?
    }

    private struct ForkDraft {
        let id: String
        let bold: (name: String, node: Node)
        let safe: (name: String, node: Node)
        let seconds: Int
    }

    func stages(of node: Node) -> [Pack.Stage] {
        var drafts: [Draft] = []
        for (index, entry) in node.list(in: 1...Self.stagesMax).enumerated() {
            guard let draft = entry.object({ draft(of: $0, at: entry) }) else { continue }
            if let taken = drafts.firstIndex(where: { $0.id == draft.id }) {
                entry.fault("the id \"\(draft.id)\" is taken by stages[\(taken)]; choose another")
            }
            check(draft.stage, entry)
            if draft.stage.scenes.contains(where: { $0.choice == .foe }), draft.stage.foes.isEmpty {
                node.fault("stages[\(index)] has the scene \"foe\" but no foes; add \"foes\"")
            }
            drafts.append(draft)
        }
        // The ways through a stage that cannot be read are unknown.
        if case .array(let entries) = node.value, entries.count != drafts.count { return [] }
        return connect(drafts, node)
    }

    private func check(_ stage: Pack.Stage, _ node: Node) {
        let always: [Scene] = [.commonLoot, .foe, .storm]
        if !stage.scenes.contains(where: { always.contains($0.choice) }) {
            node.fault("these scenes are not always possible; give commonLoot or foe a weight")
        }
        if !hasTales, stage.scenes.contains(where: { $0.choice == .tale }) {
            node.fault("the scene \"tale\" needs tales; add \"tales\" to the pack")
        }
    }

    private func draft(of fields: Node.Fields, at node: Node) -> Draft? {
        let id = fields.required("id")?.id()
        let steps = fields.required("steps")?.integer(in: 1...Self.stepsMax)
        let pace = fields.required("paceSeconds")?.range(in: ThingReader.paces)
        let scenes = fields.required("scenes")?.weights("scene", of: Scene.self)
        let met: [Weighted<Foe>] =
            fields.optional("foes")?.weights { things.known($0, $1, in: foes, "foe") } ?? []
        let next = fields.optional("next").flatMap(way)
        let forkNode = fields.optional("fork")
        let fork = forkNode?.object { self.fork(of: $0) }
        if next != nil, let forkNode { forkNode.fault("a stage has \"next\" or \"fork\"") }
        guard let id, let steps, let pace, let scenes else { return nil }
        return Draft(
            id: id, node: node,
            stage: Pack.Stage(
                id: id, steps: steps, pace: pace, scenes: scenes, foes: met, exit: .stage(0)),
            next: next, fork: fork)
    }

    private func way(_ node: Node) -> (name: String, node: Node)? { node.text().map { ($0, node) } }

    private func fork(of fields: Node.Fields) -> ForkDraft? {
        let id = fields.required("id")?.id()
        let bold = fields.required("bold").flatMap(way)
        let safe = fields.required("safe").flatMap(way)
        let seconds = fields.required("waitSeconds")?.integer(in: Self.forkSeconds)
        guard let id, let bold, let safe, let seconds else { return nil }
        return ForkDraft(id: id, bold: bold, safe: safe, seconds: seconds)
    }

    // MARK: Ways

    private func connect(_ drafts: [Draft], _ node: Node) -> [Pack.Stage] {
        let ids = drafts.map(\.id)
        let stages = drafts.enumerated().map { index, draft in
            draft.stage.leading(to: exit(of: draft, at: index, among: ids))
        }
        checkWays(stages, ids, node)
        if drafts.count(where: { $0.fork != nil }) > Self.forksMax {
            node.fault("it has more than \(Self.forksMax) forks")
        }
        return stages
    }

    private func exit(of draft: Draft, at index: Int, among ids: [String]) -> Pack.Stage.Exit {
        if let fork = draft.fork {
            return .fork(
                things.own(fork.id), bold: place(fork.bold, ids), safe: place(fork.safe, ids),
                seconds: fork.seconds)
        }
        return .stage(draft.next.map { place($0, ids) } ?? index + 1)
    }

    /// Returns the place of a stage; beyond the last one for the boss.
    private func place(_ way: (name: String, node: Node), _ ids: [String]) -> Int {
        if way.name == Self.boss { return ids.count }
        if let place = ids.firstIndex(of: way.name) { return place }
        let hint = KnownNames(ids + [Self.boss]).hint(for: way.name)
        way.node.fault("there is no stage \"\(way.name)\"\(hint)")
        return ids.count
    }

    /// Every stage can be reached, and no way leads round in a circle.
    private func checkWays(_ stages: [Pack.Stage], _ ids: [String], _ node: Node) {
        var reached: Set<Int> = []
        var open: Set<Int> = []
        var circle: Int?
        func visit(_ place: Int) {
            guard place < stages.count else { return }
            if open.contains(place) { circle = circle ?? place }
            guard reached.insert(place).inserted else { return }
            open.insert(place)
            for next in stages[place].exit.places { visit(next) }
            open.remove(place)
        }
        visit(0)
        if let circle { node.fault("the ways form a circle through \"\(ids[circle])\"") }
        for place in stages.indices where !reached.contains(place) {
            node.fault("\"\(ids[place])\" can never be reached")
        }
    }
}

extension Pack.Stage {
    fileprivate func leading(to exit: Exit) -> Pack.Stage {
        Pack.Stage(id: id, steps: steps, pace: pace, scenes: scenes, foes: foes, exit: exit)
    }
}

extension Pack.Stage.Exit {
    /// The places of the stages to which the way leads.
    var places: [Int] {
        switch self {
        case .stage(let next): [next]
        case .fork(_, bold: let bold, safe: let safe, seconds: _): [bold, safe]
        }
    }
}
