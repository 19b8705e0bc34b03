internal import HTTPServer
internal import JSONWriter
internal import PartyStore

/// `GET /v1/admin/nodes`: the servers that share the game, what each has, and whether its lease lasts.
enum ShowNodes {
    static let route = APIRoute(
        .get, "/v1/admin/nodes", .admin(.observer),
        Contract(
            "lists the nodes that share the game",
            returns: .json(
                .fields([
                    "nodes": .list(
                        .named(
                            "Node",
                            .fields([
                                "node": .whole, "name": .text, "address": .text,
                                "shards": .whole, "leads": .boolean, "answers": .boolean,
                            ])))
                ]))),
        handle: respond)

    private struct Line {
        let node: Epoch
        var name = ""
        var address = ""
        var shards = 0
        var leads = false
        var answers = true
    }

    @Sendable private static func respond(
        _ request: Request, _ call: Call
    ) async throws -> Response {
        var json = JSONWriter()
        json.beginObject()
        json.array("nodes", lines(call.game)) { json, line in
            json.beginObject()
            json.field("node", line.node.number)
            json.field("name", line.name)
            json.field("address", line.address)
            json.field("shards", line.shards)
            json.field("leads", line.leads)
            json.field("answers", line.answers)
            json.endObject()
        }
        json.endObject()
        return .json(json.bytes)
    }

    private static func lines(_ game: Game) -> [Line] {
        let map = game.shards.map
        guard let table = map.table else {
            return [Line(node: game.epoch, shards: map.count, leads: true)]
        }
        return table.nodes.map { node in
            let number = node.epoch.number
            return Line(
                node: node.epoch, name: node.place.name, address: node.place.address,
                shards: table.owners.count { $0 == number }, leads: table.owners.first == number,
                answers: !node.isLate)
        }
    }
}
