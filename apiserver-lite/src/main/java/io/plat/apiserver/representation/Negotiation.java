package io.plat.apiserver.representation;

import io.plat.apiserver.representation.TableRepresentation.IncludeObject;
import io.plat.apiserver.representation.binary.BinaryEnvelope;
import io.plat.apiserver.representation.binary.TypeMeta;
import io.plat.apiserver.type.ResourceType;
import io.plat.apiserver.type.TypeTraits;
import io.plat.review.status.Status;
import io.plat.review.status.Status.Details;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Content negotiation (specification, "Content negotiation"): the entries of the {@code Accept} header by quality, each with the first
 * matching media type that supports its parameters. Unsatisfiable entries are skipped, so that clients can name fallbacks.
 */
public record Negotiation(Preferences preferences, TypeMeta type, Use use) {
    private static final String YAML = YamlRepresentation.TYPE;
    private static final String META = "meta.k8s.io";

    /** Kinds into which objects can be transformed. */
    private static final Set<String> CONVERTED =
            Set.of(TableRepresentation.KIND, MetadataRepresentation.KIND, MetadataRepresentation.LIST_KIND);

    /** Media types in the order of preference for wildcards. */
    private static final List<String> WRITTEN =
            List.of(JsonRepresentation.TYPE, YAML, BinaryEnvelope.KUBERNETES_MEDIA_TYPE, BinaryEnvelope.MEDIA_TYPE);

    /** Headers of nearly all clients, which need no parsing. */
    private static final Set<String> PLAINLY_JSON =
            Set.of(JsonRepresentation.TYPE, "*/*", "application/json, */*", "application/json,*/*");

    private static final String AVAILABLE =
            String.join(", ", JsonRepresentation.TYPE, YAML, BinaryEnvelope.KUBERNETES_MEDIA_TYPE);

    private static final String AVAILABLE_STREAMS = String.join(
            ", ", JsonRepresentation.TYPE + ";stream=watch", BinaryEnvelope.KUBERNETES_MEDIA_TYPE + ";stream=watch");

    /** Kind of content, and whether it is a stream or has no tables. */
    private enum Use {
        OBJECTS,
        UNPRINTED,
        STREAM,
        DOCUMENT
    }

    /**
     * Returns the representation for objects of a type and lists of them.
     *
     * @throws StatusException 406 if no representation is acceptable, 400 if a requested one is malformed
     */
    public static Representation objects(Preferences preferences, ResourceType type) throws StatusException {
        return new Negotiation(preferences, Representation.typeOf(type), Use.OBJECTS).pick();
    }

    /** Returns the representation for a subresource, {@code ""} for the object itself; see {@link #objects}. */
    public static Representation objects(Preferences preferences, ResourceType type, String subresource)
            throws StatusException {
        Use use = TypeTraits.of(type).unprinted().contains(subresource) ? Use.UNPRINTED : Use.OBJECTS;
        return new Negotiation(preferences, Representation.typeOf(type), use).pick();
    }

    public static Representation plain() {
        return JsonRepresentation.COMPACT;
    }

    /** Returns whether objects are served as stored, in which case a response is a copy regardless of size. */
    public static boolean copies(Preferences preferences) {
        return !preferences.pretty() && (preferences.accept().isEmpty() || PLAINLY_JSON.contains(preferences.accept()));
    }

    /**
     * Returns the representation for a watch stream.
     *
     * @throws StatusException as {@link #objects}
     */
    public static Representation stream(Preferences preferences, ResourceType type) throws StatusException {
        return new Negotiation(preferences, Representation.typeOf(type), Use.STREAM).pick();
    }

    /**
     * Returns the representation for a document other than a stored object, such as a review.
     *
     * @throws StatusException 406 if no representation is acceptable
     */
    public static Representation document(Preferences preferences, TypeMeta type) throws StatusException {
        return new Negotiation(preferences, type, Use.DOCUMENT).pick();
    }

    /** Returns the representation for a failure: JSON if none is acceptable. */
    public static Representation failure(Preferences preferences) {
        try {
            return document(preferences, Representation.STATUS);
        } catch (StatusException none) {
            return JsonRepresentation.COMPACT;
        }
    }

    private Representation pick() throws StatusException {
        if (preferences.accept().isBlank() || PLAINLY_JSON.contains(preferences.accept())) {
            return json(false);
        }
        boolean known = false;
        for (MediaRange range : MediaRange.accepted(preferences.accept())) {
            for (String mediaType : WRITTEN) {
                if (range.includes(mediaType)) {
                    known = true;
                    Optional<Representation> form = form(mediaType, range.parameters());
                    if (form.isPresent()) {
                        return form.get();
                    }
                }
            }
        }
        throw notAcceptable(known);
    }

    private Optional<Representation> form(String mediaType, Map<String, String> parameters) throws StatusException {
        String stream = parameters.getOrDefault("stream", "");
        boolean streams = !mediaType.equals(YAML);
        if ((!stream.isEmpty() && !(stream.equals("watch") && streams)) || (use == Use.STREAM && !streams)) {
            return Optional.empty();
        }
        // Documents other than objects cannot be transformed.
        boolean converts = !type.equals(TypeMeta.UNKNOWN)
                && (parameters.containsKey("as") || parameters.containsKey("g") || parameters.containsKey("v"));
        boolean pretty = "1".equals(parameters.getOrDefault("pretty", ""));
        return converts ? converted(mediaType, parameters) : format(mediaType, type, pretty);
    }

    private Representation json(boolean pretty) {
        return use != Use.STREAM && (pretty || preferences.pretty())
                ? JsonRepresentation.PRETTY
                : JsonRepresentation.COMPACT;
    }

    /** Returns a transformed representation, whose kind is named by {@code as}, {@code g} and {@code v}. */
    private Optional<Representation> converted(String mediaType, Map<String, String> parameters)
            throws StatusException {
        String version = parameters.getOrDefault("v", "");
        boolean known = parameters.getOrDefault("g", "").equals(META)
                && List.of("v1", "v1beta1").contains(version);
        String kind = parameters.getOrDefault("as", "");
        boolean printed = use != Use.UNPRINTED || !kind.equals(TableRepresentation.KIND);
        if (use == Use.DOCUMENT || !known || !CONVERTED.contains(kind) || !printed) {
            return Optional.empty();
        }
        String apiVersion = META + "/" + version;
        Optional<Representation> format = format(mediaType, new TypeMeta(apiVersion, kind), false);
        if (format.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                kind.equals(TableRepresentation.KIND)
                        ? new TableRepresentation(format.get(), apiVersion, included(), InstantSource.system())
                        : new MetadataRepresentation(
                                format.get(), apiVersion, kind.equals(MetadataRepresentation.LIST_KIND)));
    }

    private IncludeObject included() throws StatusException {
        return switch (preferences.includeObject()) {
            case "None" -> IncludeObject.NONE;
            case "", "Metadata" -> IncludeObject.METADATA;
            case "Object" -> IncludeObject.OBJECT;
            default ->
                throw new StatusException(
                        StatusReason.BAD_REQUEST,
                        "Unable to convert to Table as requested: includeObject: Invalid value: \""
                                + preferences.includeObject()
                                + "\": must be 'Metadata', 'Object', 'None', or empty");
        };
    }

    /** Returns the untransformed representation for a media type, if the type supports it. */
    private Optional<Representation> format(String mediaType, TypeMeta representation, boolean pretty) {
        return switch (mediaType) {
            case JsonRepresentation.TYPE -> Optional.of(json(pretty));
            case YAML -> Optional.of(YamlRepresentation.INSTANCE);
            default ->
                EnvelopeRepresentation.encodes(representation)
                        ? Optional.of(
                                mediaType.equals(BinaryEnvelope.MEDIA_TYPE)
                                        ? EnvelopeRepresentation.PLATFORM
                                        : EnvelopeRepresentation.KUBERNETES)
                        : Optional.empty();
        };
    }

    /** kube-apiserver distinguishes unknown media types from unsupported parameters. */
    private StatusException notAcceptable(boolean known) {
        if (known) {
            return new StatusException(
                    StatusReason.NOT_ACCEPTABLE,
                    "only the following media types are accepted: "
                            + (use == Use.STREAM ? AVAILABLE_STREAMS : AVAILABLE));
        }
        String available = use == Use.STREAM ? AVAILABLE + ", " + AVAILABLE_STREAMS : AVAILABLE;
        String message = "406: Not Acceptable\n\nAvailable representations: " + available;
        return new StatusException(
                Status.of(StatusReason.NOT_ACCEPTABLE, message).withDetails(Details.about("", "", "")));
    }
}
