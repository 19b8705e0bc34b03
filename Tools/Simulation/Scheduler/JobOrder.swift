/// Which of the ready jobs runs next.
extension Scheduler {
    /// Draws one of the ready lanes, and puts the job that is to run first in it. Returns the lane's
    /// place among the ready ones.
    func drawReady() -> Int {
        let mode = if let fifoFromStep, steps >= fifoFromStep { Mode.fifo } else { self.mode }
        let place: Int
        switch mode {
        case .uniform: place = drawPlace()
        case .fifo: return oldestPlace()
        case .starve(let label):
            let drawn = drawPlace()
            let others = ready.indices.filter { lanes[ready[$0]].label != label }
            let isStarved = lanes[ready[drawn]].label == label && !others.isEmpty
            place = isStarved && order.below(50) > 0 ? order.pick(others) : drawn
        case .priority(let drops): place = highestPlace(drops: drops)
        }
        if ready[place] == 0, lanes[0].count > 1 { lanes[0].prefer(order.below(lanes[0].count)) }
        return place
    }

    private func drawPlace() -> Int { ready.count == 1 ? 0 : order.below(ready.count) }

    private func oldestPlace() -> Int {
        lanes[0].preferOldest()
        var oldest = 0
        for place in ready.indices.dropFirst()
        where lanes[ready[place]].first.number < lanes[ready[oldest]].first.number {
            oldest = place
        }
        return oldest
    }

    private func highestPlace(drops: Int) -> Int {
        var highest = 0
        for place in ready.indices.dropFirst()
        where lanes[ready[place]].priority > lanes[ready[highest]].priority {
            highest = place
        }
        if order.below(1000) < drops {
            lowestPriority -= 1
            lanes[ready[highest]].priority = lowestPriority
        }
        return highest
    }
}
