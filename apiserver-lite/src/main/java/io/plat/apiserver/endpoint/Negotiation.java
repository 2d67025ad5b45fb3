package io.plat.apiserver.endpoint;

import io.plat.apiserver.discovery.AggregatedDiscovery;
import io.plat.apiserver.filter.Call;
import io.plat.apiserver.representation.MediaRange;
import io.plat.apiserver.representation.binary.BinaryEnvelope;
import io.plat.review.status.StatusException;
import java.util.List;

/** In which form a client wants its answer, and in which form it sends its body (specification, "Content negotiation"). */
final class Negotiation {
    private static final String YAML = "application/yaml";
    private static final List<String> WRITTEN = List.of(Answer.JSON);

    /** The formats that bodies are read in. */
    enum BodyFormat {
        JSON,
        YAML,
        BINARY
    }

    private Negotiation() {}

    /**
     * Goes on where the client accepts JSON. No Accept header accepts everything.
     *
     * @throws StatusException 406 where it accepts nothing that is written here
     */
    static void requireJson(Call call) throws StatusException {
        String accept = call.incoming().header("Accept");
        if (accept.isBlank()) {
            return;
        }
        for (MediaRange range : MediaRange.accepted(accept)) {
            if (range.includes(Answer.JSON) && !range.transforms()) {
                return;
            }
        }
        throw Failures.notAcceptable(String.join(", ", WRITTEN));
    }

    /** Whether the aggregated form of discovery is wanted more than the plain one. */
    static boolean prefersAggregatedDiscovery(Call call) {
        MediaRange aggregated = MediaRange.parse(AggregatedDiscovery.TYPE);
        for (MediaRange range : MediaRange.accepted(call.incoming().header("Accept"))) {
            if (range.type().equals(Answer.JSON) && range.parameters().equals(aggregated.parameters())) {
                return true;
            }
            if (range.includes(Answer.JSON) && !range.transforms()) {
                return false;
            }
        }
        return false;
    }

    /**
     * The format of the body; without a Content-Type it is JSON.
     *
     * @throws StatusException 415 for a format that is not read here
     */
    static BodyFormat bodyFormat(Call call) throws StatusException {
        String contentType = call.incoming().header("Content-Type");
        if (contentType.isBlank()) {
            return BodyFormat.JSON;
        }
        return switch (MediaRange.parse(contentType).type()) {
            case Answer.JSON -> BodyFormat.JSON;
            case YAML -> BodyFormat.YAML;
            case BinaryEnvelope.MEDIA_TYPE, BinaryEnvelope.MEDIA_TYPE_OF_THE_FIELD -> BodyFormat.BINARY;
            default ->
                throw Failures.unsupportedMediaType(
                        String.join(", ", Answer.JSON, YAML, BinaryEnvelope.MEDIA_TYPE_OF_THE_FIELD));
        };
    }
}
