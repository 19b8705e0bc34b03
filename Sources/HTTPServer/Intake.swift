/// Collects a request, piece by piece, within its limits: decides, and touches nothing.
struct Intake: Sendable {
    /// What is to be done next.
    enum Step: Sendable {
        case readOn
        /// The request is whole.
        case handle(Request)
        /// The request is not the handler's business; the connection may go on.
        case answer(Problem)
        /// Nothing more on this connection can be believed: answer and close.
        case refuse(Problem)
        /// The body has no end: answer past the library and cut.
        case cut(Problem)
    }

    private let head: RequestHead
    private let bodyBytesMax: Int
    /// How much of a body that is too large is read and dropped before the connection is cut: a
    /// client that still sends would lose the answer.
    private let dropBytesMax: Int
    private var body: [UInt8] = []
    private var bytesDropped = 0

    init(_ head: RequestHead, bodyBytesMax: Int) {
        self.head = head
        self.bodyBytesMax = bodyBytesMax
        dropBytesMax = bodyBytesMax * 4
    }

    /// What the headers alone decide.
    func begin() -> Step {
        do throws(Problem) {
            switch try head.framing() {
            case .length(let length) where length > dropBytesMax:
                return .refuse(.bodyTooLarge(limit: bodyBytesMax))
            case .length, .chunked:
                return .readOn
            }
        } catch {
            return .refuse(error)
        }
    }

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

    /// The body has ended.
    func end() -> Step {
        guard bytesDropped == 0 else { return .answer(.bodyTooLarge(limit: bodyBytesMax)) }
        do throws(Problem) {
            return .handle(try head.request(body: body))
        } catch {
            return .answer(error)
        }
    }
}
