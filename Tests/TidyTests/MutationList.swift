/// The deliberate faults of `Tests/Mutations/faults.txt`, as far as this check needs them.
struct MutationList {
    /// What a fault replaces: a snippet of a file.
    struct Place: Hashable {
        let fault: String
        let path: String
        let old: String
    }

    static let path = "Tests/Mutations/faults.txt"
    static let countMin = 80

    private(set) var ids: [String] = []
    private(set) var places: [Place] = []

    init(_ text: String) {
        var path = ""
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = line[line.index(after: colon)...].trimmingSpaces()
            switch line[..<colon] {
            case "fault": ids.append(value)
            case "in": path = "Sources/" + value
            case "old": places.append(Place(fault: ids.last ?? "", path: path, old: value))
            default: break
            }
        }
    }

    /// What is wrong, where `read` gives the text of a file.
    func findings(_ read: (String) -> String) -> [String] {
        var findings: [String] = []
        if ids.count < Self.countMin {
            findings.append("there are \(ids.count) faults, fewer than \(Self.countMin)")
        }
        for (id, namesakes) in Dictionary(grouping: ids, by: \.self).sorted(by: { $0.key < $1.key })
        where namesakes.count > 1 {
            findings.append("\(id) is the id of \(namesakes.count) faults")
        }
        let withoutPlace = Set(ids).subtracting(places.map(\.fault)).sorted()
        findings += withoutPlace.map { "\($0) has no place" }
        for place in places {
            let count = place.old.isEmpty ? 0 : read(place.path).ranges(of: place.old).count
            guard count != 1 else { continue }
            findings.append("\(place.fault): \(place.old) stands \(count) times in \(place.path)")
        }
        return findings
    }
}
