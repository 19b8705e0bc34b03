internal import Content
internal import HTTPServer
internal import JSONReader

/// What many people do at once, and owners.
extension World {
    /// How often an owner asks, once a second: longer than any server is away.
    private static let ownerTries = 900

    /// So many people come at once, each with a party, and leave again.
    func crowd(of people: Int, badTokens: Int) async {
        await withDiscardingTaskGroup { group in
            for _ in 0..<people {
                visitors += 1
                var visitor = Visitor(number: visitors, badTokens: badTokens, in: self)
                group.addTask { await visitor.visit() }
            }
        }
    }

    /// Publishes a new version of a pack of the program, with a fault if it is not sound.
    func publish(_ pack: String, isSound: Bool) async {
        guard let file = EmbeddedPacks.file(named: pack) else { return }
        var text = String(decoding: file, as: UTF8.self)
        if let range = text.firstRange(of: #""version" : "#) ?? text.firstRange(of: #""version": "#)
        {
            let rest = text[range.upperBound...]
            let digits = rest.prefix { $0.isNumber }
            let version = (Int(digits) ?? 1) + published
            published += 1
            text.replaceSubrange(digits.startIndex..<digits.endIndex, with: "\(version + 1)")
        }
        if !isSound { text = text.replacing(#""id""#, with: #""idea""#, maxReplacements: 1) }
        await asOwner(.put, "/v1/admin/packs/\(pack)?acceptWarnings=true", text)
    }

    /// Pauses all pushes, or ends the pause, again until it is done.
    func setPushPause(_ method: Method) async {
        await asOwner(method, "/v1/admin/push-pause", method == .put ? "{}" : "")
    }

    /// Repairs the parties that are frozen, or gives them up.
    func repairParties() async {
        let list = await asOwner(.get, "/v1/admin/frozen-parties", "")
        for party in list.json["parties"]?.elements ?? [] {
            guard let id = party["party"]?.text else { continue }
            let path = "/v1/admin/frozen-parties/\(id)"
            let repair = await asOwner(.post, path + "/repair", "{}")
            if !repair.isDone { await asOwner(.post, path + "/abandon", "{}") }
        }
    }

    /// Sends a request of the owner, again until it is answered.
    @discardableResult
    func asOwner(_ method: Method, _ path: String, _ body: String) async -> Reply {
        for _ in 0..<Self.ownerTries {
            let reply = await network.send(
                ClientCall(
                    client: .gameMaster, method: method, path: path, body: body,
                    bearer: ServerHost.ownerKey))
            guard reply.status == nil || reply.status == 503 else { return reply }
            await scheduler.wait(until: scheduler.now + 1000)
        }
        return Reply()
    }
}
