/// Looks at servers that nothing disturbs.
extension Judge {
    private static let look: Int64 = 30_000

    /// Reads the figures of a server now and then, as long as people play: no party is late.
    func keepWatch(over life: LifeID, in world: World) async {
        var before: String?
        while !world.isCalm || world.scheduler.now < (calmAt ?? .max) + Self.look {
            await world.scheduler.wait(until: world.scheduler.now + Self.look)
            guard !world.isOver, world.node.serving?.life == life else { return }
            let metrics = await metrics(of: world)
            guard !metrics.isEmpty else {
                before = nil
                continue
            }
            if let before { compareLateness(before, metrics) }
            before = metrics
        }
    }
}
