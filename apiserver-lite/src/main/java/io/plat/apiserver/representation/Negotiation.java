package io.plat.apiserver.representation;

import io.plat.apiserver.resource.ResourceType;
import io.plat.review.status.Status;
import io.plat.review.status.Status.Details;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.util.List;

/** Picks the form of an answer by what a client accepts (specification, "Content negotiation"). */
public final class Negotiation {
    private static final List<String> WRITTEN = List.of(JsonForm.TYPE);

    private Negotiation() {}

    /**
     * The form for objects of a type and for lists of them.
     *
     * @throws StatusException 406 where the client accepts no form that they have
     */
    public static Representation objects(Preferences preferences, ResourceType type) throws StatusException {
        return json(preferences);
    }

    /**
     * The form for a watch's stream.
     *
     * @throws StatusException 406 where the client accepts no form that a stream has
     */
    public static Representation stream(Preferences preferences, ResourceType type) throws StatusException {
        return json(preferences);
    }

    private static Representation json(Preferences preferences) throws StatusException {
        JsonForm json = preferences.pretty() ? JsonForm.PRETTY : JsonForm.COMPACT;
        if (preferences.accept().isBlank()) {
            return json;
        }
        for (MediaRange range : MediaRange.accepted(preferences.accept())) {
            if (range.includes(JsonForm.TYPE) && !range.transforms()) {
                return json;
            }
        }
        throw notAcceptable();
    }

    private static StatusException notAcceptable() {
        String message = "406: Not Acceptable\n\nAvailable representations: " + String.join(", ", WRITTEN);
        return new StatusException(
                Status.of(StatusReason.NOT_ACCEPTABLE, message).withDetails(Details.about("", "", "")));
    }
}
