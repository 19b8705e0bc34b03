import Testing

@Suite("The rest of the server hardly knows of nodes")
struct NodeRulesTests {
    private static let folder = "Sources/RangersServer/Nodes/"

    @Test("at most 12 files outside the folder of nodes name its types")
    func typesStayInside() {
        let files = Self.outside(of: Repository.sources)
        #expect(files.count <= 12, "\(files)")
    }

    @Test("nodes do not speak with each other: of the server only the doctor opens connections")
    func noConnections() {
        let clients = Repository.sources.filter { file in
            file.module == "RangersServer"
                && file.imports.contains { ["CCurl", "HTTP2"].contains($0.module) }
        }
        #expect(clients.map(\.path) == ["Sources/RangersServer/Doctor/StreamTrial.swift"])
    }

    @Test("control: a file outside that names a type is found, one that names another is not")
    func namesAreFound() {
        let files = [
            SourceFile(path: Self.folder + "Lease.swift", text: "struct Lease {}"),
            SourceFile(path: "Sources/RangersServer/A.swift", text: "let a = Lease()"),
            SourceFile(path: "Sources/RangersServer/B.swift", text: "let b = Leases() // Lease"),
        ]
        #expect(Self.outside(of: files) == ["Sources/RangersServer/A.swift"])
    }

    private static func outside(of files: [SourceFile]) -> [String] {
        let inside = files.filter { $0.path.hasPrefix(folder) }
        let types = Set(
            inside.flatMap { file in
                file.declaredTypes.filter { $0.depth == 0 }.map(\.name)
            })
        return files.filter { file in
            file.path.hasPrefix("Sources/") && !file.path.hasPrefix(folder)
                && file.code.contains { $0.kind == .word && types.contains($0.text) }
        }.map(\.path)
    }
}
