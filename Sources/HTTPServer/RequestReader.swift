/// Collects a request in pieces, within its limits. Decides only; the caller acts.
struct RequestReader: Sendable {
    /// The next step.
    enum Step: Sendable {
        case readOn
        /// The request is complete.
        case handle(Request)
        /// The request is refused before the handler; the connection may continue.
        case respond(Problem)
        /// The body is too long: respond past the library and close.
        case cut(Problem)
    }

    private let request: Result<Request, Problem>
    private let bodyBytesMax: Int
    private let dropBytesMax: Int
    private var body: [UInt8] = []
    private var bytesDropped = 0

    /// Begins with a request without its body. The body of a refused request is read all the same,
    /// so that the connection can continue.
    init(_ request: Result<Request, Problem>, bodyBytesMax: Int, dropBytesMax: Int) {
        self.request = request
        self.dropBytesMax = dropBytesMax
        self.bodyBytesMax = bodyBytesMax
    }

    /// Returns the announced length from which a body is not read at all.
    static func announcedBytesMax(_ bodyBytesMax: Int) -> Int { bodyBytesMax * 4 }

    mutating func received(_ bytes: UnsafeRawBufferPointer) -> Step {
        guard bytesDropped == 0, body.count + bytes.count <= bodyBytesMax else {
            bytesDropped += body.count + bytes.count
            body = []
            return bytesDropped > dropBytesMax
                ? .cut(.bodyTooLarge(limit: bodyBytesMax)) : .readOn
        }
        body.append(contentsOf: bytes)
        return .readOn
    }

    /// Records the end of the body.
    func end() -> Step {
        guard bytesDropped == 0 else { return .respond(.bodyTooLarge(limit: bodyBytesMax)) }
        switch request {
        case .success(var whole):
            whole.body = body
            return .handle(whole)
        case .failure(let problem):
            return .respond(problem)
        }
    }
}
