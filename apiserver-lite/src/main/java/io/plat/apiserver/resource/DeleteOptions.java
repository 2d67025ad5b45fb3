package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.review.status.StatusException;
import java.util.Objects;

/**
 * How a deletion is meant. Strings are {@code ""} where nothing was said.
 *
 * @param dryRun go all the way and delete nothing
 * @param uid delete only the object that has this uid
 * @param resourceVersion delete only this state
 * @param propagationPolicy what becomes of what the object owns: {@code Background}, {@code Foreground}, {@code Orphan}
 */
public record DeleteOptions(boolean dryRun, String uid, String resourceVersion, String propagationPolicy) {
    /** A plain deletion. */
    public static final DeleteOptions DEFAULT = new DeleteOptions(false, "", "", "");

    public DeleteOptions {
        Objects.requireNonNull(uid);
        Objects.requireNonNull(resourceVersion);
        Objects.requireNonNull(propagationPolicy);
    }

    /**
     * Reads the object of kind {@code DeleteOptions} that a body may hold.
     *
     * @throws StatusException 400 if it is of another kind or shape
     */
    public static DeleteOptions of(ObjectNode body) throws StatusException {
        String kind = Json.text(body, "kind");
        if (!kind.isEmpty() && !kind.equals("DeleteOptions")) {
            throw Refusals.badRequest("expected a body of kind \"DeleteOptions\", not " + Causes.quoted(kind));
        }
        boolean dryRun = false;
        for (JsonNode stage : body.path("dryRun")) {
            if (!stage.asText().equals("All")) {
                throw Refusals.badRequest("dryRun: expected \"All\", not " + Causes.quoted(stage.asText()));
            }
            dryRun = true;
        }
        JsonNode preconditions = body.path("preconditions");
        String policy = Json.text(body, "propagationPolicy");
        return switch (policy) {
            case "", "Background", "Foreground", "Orphan" ->
                new DeleteOptions(
                        dryRun, Json.text(preconditions, "uid"), Json.text(preconditions, "resourceVersion"), policy);
            default ->
                throw Refusals.badRequest(
                        "propagationPolicy: expected \"Background\", \"Foreground\" or \"Orphan\", not "
                                + Causes.quoted(policy));
        };
    }

    /** The same, gone all the way without deleting. */
    public DeleteOptions asDryRun() {
        return new DeleteOptions(true, uid, resourceVersion, propagationPolicy);
    }
}
