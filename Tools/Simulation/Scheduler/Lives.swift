/// Lives, and what passes between them.
extension Scheduler {
    /// Begins a life.
    package func newLife() -> LifeID {
        lives.append(Life())
        return lives.count - 1
    }

    @inline(__always)
    package func isDead(_ life: LifeID) -> Bool { lives[life].state != .living }

    /// Ends a life wherever it is. What it held is let go of at the next job, unseen.
    package func kill(_ life: LifeID) {
        precondition(life > 0, "the world does not die")
        guard !isDead(life) else { return }
        trace.note(.life, UInt64(life), UInt64(now))
        lives[life].state = .dead
        unburied.append(life)
        var grave = Grave()
        for index in lanes.indices where index == 0 || lanes[index].life == life {
            let executor = lanes[index].executor
            for entry in lanes[index].removeAll(of: life) {
                grave.jobs.append(Grave.Job(job: entry.job, on: executor))
            }
        }
        ready.removeAll { lanes[$0].isEmpty }
        grave.timers = timers.split(of: life)
        graves[life] = grave
        loseCalls(of: life)
    }

    /// Resumes those who wait for the dead, as those who they are.
    private func loseCalls(of life: LifeID) {
        let running = self.life
        for number in calls.keys.sorted() {
            guard let call = calls[number], call.callee == life || call.caller == life else {
                continue
            }
            calls[number] = nil
            guard call.caller != life else { continue }
            self.life = call.caller
            call.lose()
        }
        self.life = running
    }

    /// Says how the resources of a life are let go of after its death, as a server's `drain` does.
    package func onBurial(of life: LifeID, _ body: @escaping @Sendable () async -> Void) {
        lives[life].burial = body
    }

    /// Counts the jobs and timers of a life.
    package func unfinishedTasks(of life: LifeID) -> Int {
        lanes.reduce(0) { $0 + $1.count(of: life) } + pendingTimers(of: life).count
    }

    /// The timers of a life: when each was set and when it is due, by due time.
    package func pendingTimers(of life: LifeID) -> [(setAt: Int64, at: Int64)] {
        timers.pending.values.filter { $0.owner == life }
            .map { (setAt: $0.setAt, at: $0.at) }.sorted { $0 < $1 }
    }

    /// Starts a task in a life.
    package func spawn(as life: LifeID, _ body: @escaping @Sendable () async -> Void) {
        let running = self.life
        self.life = life
        defer { self.life = running }
        rootNumber += 1
        let number = rootNumber
        // The life's grave waits for it. Actors order jobs by priority: it must not be the thread's.
        lives[life].roots[number] = Task(priority: .medium) {
            await body()
            self.lives[life].roots[number] = nil
        }
    }

    /// Sends a request to a life, and returns its response.
    ///
    /// - Parameters:
    ///   - callee: The life.
    ///   - there: How long the request travels, in milliseconds.
    ///   - back: How long the response does.
    ///   - body: What the life does to respond.
    /// - Returns: `nil` if the life died before its response came back.
    package func call<Response: Sendable>(
        _ callee: LifeID, there: Int64, back: Int64,
        _ body: @escaping @Sendable () async -> Response
    ) async -> Response? {
        guard !isDead(callee) else {
            await wait(until: now + max(1, there))
            return nil
        }
        return await withUnsafeContinuation { (caller: UnsafeContinuation<Response?, Never>) in
            callNumber += 1
            let number = callNumber
            let owner = life
            calls[number] = LifeCall(caller: owner, callee: callee) {
                caller.resume(returning: nil)
            }
            after(there, as: callee) { [self] in
                spawn(as: callee) { [self] in
                    let response = await body()
                    after(back, as: owner) { [self] in
                        guard calls.removeValue(forKey: number) != nil else { return }
                        caller.resume(returning: response)
                    }
                }
            }
        }
    }
}
