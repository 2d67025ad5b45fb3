package io.plat.apiserver.representation;

import io.plat.apiserver.representation.TableForm.Included;
import io.plat.apiserver.representation.binary.BinaryEnvelope;
import io.plat.apiserver.representation.binary.TypeMeta;
import io.plat.apiserver.type.ResourceType;
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
 * Picks the form of an answer by what a client accepts (specification, "Content negotiation"): the entries of its {@code Accept}
 * header in the order of their qualities, each with the first media type that it means and that can do what its parameters ask
 * for. An entry that nothing fits is passed over, so that a client can name what it falls back on.
 */
public final class Negotiation {
    private static final String YAML = YamlEncoding.TYPE;
    private static final String META = "meta.k8s.io";

    /** The kinds into which objects can be converted. */
    private static final Set<String> CONVERTED = Set.of(TableForm.KIND, MetadataForm.KIND, MetadataForm.LIST_KIND);

    /** In the order in which a wildcard picks one. */
    private static final List<String> WRITTEN =
            List.of(JsonEncoding.TYPE, YAML, BinaryEnvelope.MEDIA_TYPE_OF_THE_FIELD, BinaryEnvelope.MEDIA_TYPE);

    /** The headers of nearly every client; nothing has to be parsed for them. */
    private static final Set<String> PLAINLY_JSON =
            Set.of(JsonEncoding.TYPE, "*/*", "application/json, */*", "application/json,*/*");

    private static final String AVAILABLE =
            String.join(", ", JsonEncoding.TYPE, YAML, BinaryEnvelope.MEDIA_TYPE_OF_THE_FIELD);

    private static final String AVAILABLE_STREAMS = String.join(
            ", ", JsonEncoding.TYPE + ";stream=watch", BinaryEnvelope.MEDIA_TYPE_OF_THE_FIELD + ";stream=watch");

    /** The content of an answer, and whether it is a stream. */
    private enum Use {
        OBJECTS,
        STREAM,
        DOCUMENT
    }

    private final Preferences preferences;
    private final TypeMeta type;
    private final Use use;

    private Negotiation(Preferences preferences, TypeMeta type, Use use) {
        this.preferences = preferences;
        this.type = type;
        this.use = use;
    }

    /**
     * The form for objects of a type and for lists of them.
     *
     * @throws StatusException 406 where the client accepts no form that they have, 400 where it asks for a form in a way that
     *     can't be followed
     */
    public static Representation objects(Preferences preferences, ResourceType type) throws StatusException {
        return new Negotiation(preferences, typeOf(type), Use.OBJECTS).pick();
    }

    /** The form of objects that nobody has chosen: JSON, as they are. */
    public static Representation plain() {
        return ObjectForm.JSON;
    }

    /** Whether a client is shown objects as they are stored, so that the answer is a copy however large they are. */
    public static boolean copies(Preferences preferences) {
        return !preferences.pretty() && (preferences.accept().isEmpty() || PLAINLY_JSON.contains(preferences.accept()));
    }

    /**
     * The form for a watch's stream.
     *
     * @throws StatusException as {@link #objects}
     */
    public static Representation stream(Preferences preferences, ResourceType type) throws StatusException {
        return new Negotiation(preferences, typeOf(type), Use.STREAM).pick();
    }

    /**
     * The form for a document that is no stored object, such as a review.
     *
     * @throws StatusException 406 where the client accepts no form that it has
     */
    public static Representation document(Preferences preferences, TypeMeta type) throws StatusException {
        return new Negotiation(preferences, type, Use.DOCUMENT).pick();
    }

    /** The form for a failure: JSON for a client that accepts none of those that there are. */
    public static Representation failure(Preferences preferences) {
        try {
            return document(preferences, Representation.STATUS);
        } catch (StatusException none) {
            return ObjectForm.JSON;
        }
    }

    private static TypeMeta typeOf(ResourceType type) {
        return new TypeMeta(type.apiVersion(), type.kind());
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

    /** The form that a media type with its parameters stands for, if there is one. */
    private Optional<Representation> form(String mediaType, Map<String, String> parameters) throws StatusException {
        String stream = parameters.getOrDefault("stream", "");
        boolean streams = !mediaType.equals(YAML);
        if ((!stream.isEmpty() && !(stream.equals("watch") && streams)) || (use == Use.STREAM && !streams)) {
            return Optional.empty();
        }
        // What is no object has no other form, whatever is asked for.
        boolean converts = !type.equals(TypeMeta.UNKNOWN)
                && (parameters.containsKey("as") || parameters.containsKey("g") || parameters.containsKey("v"));
        boolean pretty = "1".equals(parameters.getOrDefault("pretty", ""));
        return converts
                ? converted(mediaType, parameters)
                : encoding(mediaType, type, pretty).map(ObjectForm::of);
    }

    private Representation json(boolean pretty) {
        return ObjectForm.of(jsonEncoding(pretty));
    }

    private Encoding jsonEncoding(boolean pretty) {
        return use != Use.STREAM && (pretty || preferences.pretty()) ? JsonEncoding.PRETTY : JsonEncoding.COMPACT;
    }

    /** Another form of the objects than they have by themselves: {@code as}, {@code g} and {@code v} name its kind. */
    private Optional<Representation> converted(String mediaType, Map<String, String> parameters)
            throws StatusException {
        String version = parameters.getOrDefault("v", "");
        boolean known = parameters.getOrDefault("g", "").equals(META)
                && List.of("v1", "v1beta1").contains(version);
        String kind = parameters.getOrDefault("as", "");
        if (use == Use.DOCUMENT || !known || !CONVERTED.contains(kind)) {
            return Optional.empty();
        }
        String apiVersion = META + "/" + version;
        Optional<Encoding> encoding = encoding(mediaType, new TypeMeta(apiVersion, kind), false);
        if (encoding.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                kind.equals(TableForm.KIND)
                        ? new TableForm(encoding.get(), apiVersion, included(), InstantSource.system())
                        : new MetadataForm(encoding.get(), apiVersion, kind.equals(MetadataForm.LIST_KIND)));
    }

    private Included included() throws StatusException {
        return switch (preferences.includeObject()) {
            case "None" -> Included.NONE;
            case "", "Metadata" -> Included.METADATA;
            case "Object" -> Included.OBJECT;
            default ->
                throw new StatusException(
                        StatusReason.BAD_REQUEST,
                        "Unable to convert to Table as requested: includeObject: Invalid value: \""
                                + preferences.includeObject()
                                + "\": must be 'Metadata', 'Object', 'None', or empty");
        };
    }

    /** The encoding of a media type, where documents of a type have it. */
    private Optional<Encoding> encoding(String mediaType, TypeMeta shown, boolean pretty) {
        return switch (mediaType) {
            case JsonEncoding.TYPE -> Optional.of(jsonEncoding(pretty));
            case YAML -> Optional.of(YamlEncoding.INSTANCE);
            default ->
                EnvelopeEncoding.encodes(shown)
                        ? Optional.of(
                                mediaType.equals(BinaryEnvelope.MEDIA_TYPE)
                                        ? EnvelopeEncoding.PLATFORM
                                        : EnvelopeEncoding.OF_THE_FIELD)
                        : Optional.empty();
        };
    }

    /** Existing servers tell apart whether it is the media type that they don't know, or what is wanted of it. */
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
