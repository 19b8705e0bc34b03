/// Sees all that happens, and says which rare places a run reaches.
protocol ProbeGroup {
    mutating func see(_ scene: JudgedSight, in world: Circumstances, _ hit: (Probe) -> Void)
}

/// Looks for all probes, from outside of the server.
struct ProbeWatch {
    private var groups: [any ProbeGroup]

    /// `cuts` counts the deaths within a write or sync.
    init(cuts: @escaping () -> Int) {
        groups = [
            DeathProbes(cuts: cuts), AppleProbes(), StoreProbes(), PeopleProbes(),
            RequestProbes(),
        ]
    }

    mutating func see(_ scene: JudgedSight, in world: Circumstances, _ hit: (Probe) -> Void) {
        for index in groups.indices { groups[index].see(scene, in: world, hit) }
    }
}
