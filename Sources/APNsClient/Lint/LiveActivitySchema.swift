/// What an app's activity type looks like in JSON, for the linter.
public struct LiveActivitySchema: Hashable, Sendable {
    /// The Swift name of the attributes' type; `nil`: any.
    public let attributesType: String?
    /// What does not change for an activity's life; `nil`: not judged.
    public let attributes: ContentSchema?
    /// What each push brings.
    public let contentState: ContentSchema

    /// A schema; a server that never starts activities needs the content state's alone.
    public init(
        contentState: ContentSchema, attributesType: String? = nil,
        attributes: ContentSchema? = nil
    ) {
        self.contentState = contentState
        self.attributesType = attributesType
        self.attributes = attributes
    }
}

/// What a default `JSONDecoder` insists on in an app's `ContentState` or attributes.
public struct ContentSchema: Hashable, Sendable {
    /// The fields, in any order.
    public let fields: [Field]

    /// A schema of these fields. One name twice is the caller's bug.
    public init(_ fields: [Field]) {
        precondition(
            Set(fields.map(\.name)).count == fields.count,
            "a schema has a field twice: \(fields.map(\.name))")
        self.fields = fields
    }

    /// A property of the Swift type.
    public struct Field: Hashable, Sendable {
        /// As in the JSON.
        public let name: String
        /// What may stand there.
        public let kind: Kind
        /// Whether it may be left out.
        public let presence: Presence

        /// A field that the decoder insists on, unless it is told to be optional.
        public init(_ name: String, _ kind: Kind, _ presence: Presence = .required) {
            self.name = name
            self.kind = kind
            self.presence = presence
        }
    }

    /// Whether a decoder insists on a field.
    public enum Presence: Hashable, Sendable {
        /// A property that is not optional.
        case required
        /// An optional property: it may be absent or `null`.
        case optional
    }

    /// What JSON a Swift type decodes from.
    public indirect enum Kind: Hashable, Sendable {
        /// A `String`, a `URL`, an enum of texts.
        case text
        /// A `Double`; a range makes sense where the app draws it.
        case number(in: ClosedRange<Double>? = nil)
        /// An `Int` of any size.
        case integer
        /// A `Bool`.
        case truth
        /// A `Date`: seconds since 2001, as a default decoder reads it.
        case date
        /// An array of one kind.
        case array(Kind)
        /// A type with fields of its own.
        case object(ContentSchema)
        /// Whatever decodes from several forms.
        case anything
    }
}
