/// Collects a request, piece by piece, within its limits: decides, and touches nothing.
struct Intake: Sendable {
    /// What is to be done next.
    enum Step: Sendable {
        case readOn
        /// The request is whole.
        case handle(Request)
        /// The request is not the handler's business; the connection may go on.
        case answer(Problem)
        /// The body has no end: answer past the library and cut.
        case cut(Problem)
    }

    private let request: Result<Request, Problem>
    private let bodyBytesMax: Int
    private var body: [UInt8] = []
    private var bytesDropped = 0

    /// `request` still has no body; where it is a problem, the body is read all the same, so that
    /// the connection can go on.
    init(_ request: Result<Request, Problem>, bodyBytesMax: Int) {
        self.request = request
        self.bodyBytesMax = bodyBytesMax
    }

    /// How much of a body that is too large is read and dropped before the connection is cut: a
    /// client that still sends would lose the answer.
    static func dropBytesMax(_ bodyBytesMax: Int) -> Int { bodyBytesMax * 4 }

    mutating func received(_ bytes: UnsafeRawBufferPointer) -> Step {
        guard bytesDropped == 0, body.count + bytes.count <= bodyBytesMax else {
            bytesDropped += body.count + bytes.count
            body = []
            return bytesDropped > Self.dropBytesMax(bodyBytesMax)
                ? .cut(.bodyTooLarge(limit: bodyBytesMax)) : .readOn
        }
        body.append(contentsOf: bytes)
        return .readOn
    }

    /// The body has ended.
    func end() -> Step {
        guard bytesDropped == 0 else { return .answer(.bodyTooLarge(limit: bodyBytesMax)) }
        switch request {
        case .success(var whole):
            whole.body = body
            return .handle(whole)
        case .failure(let problem):
            return .answer(problem)
        }
    }
}
