package io.plat.apiserver.options;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.rules.Causes;
import io.plat.apiserver.schema.FieldErrorMessages;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.ApiErrors;
import io.plat.review.status.StatusException;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Options of a deletion. A grace period is accepted and has no effect: nothing runs here that would need time to terminate.
 *
 * @param dryRun whether to process everything except the deletion itself
 * @param uid required uid; null for any
 * @param resourceVersion required version; null for any
 */
public record DeleteOptions(
        boolean dryRun, @Nullable String uid, @Nullable String resourceVersion, Propagation propagation) {
    public static final DeleteOptions DEFAULT = new DeleteOptions(false, null, null, Propagation.UNSPECIFIED);

    private static final List<String> STAGES = List.of("All");
    private static final List<String> POLICIES = List.of("Foreground", "Background", "Orphan", "nil");

    public enum Propagation {
        /** Unspecified: determined by the object's finalizers, else {@link #BACKGROUND}. */
        UNSPECIFIED,
        /** Dependents are deleted after the object. */
        BACKGROUND,
        /** As {@link #BACKGROUND}, by the deprecated option, whose users receive a 202 while the object still exists. */
        NOT_ORPHANED,
        /** Dependents are deleted before the object. */
        FOREGROUND,
        /** Dependents stay, without their references to the object. */
        ORPHAN
    }

    /**
     * Parses an object of kind {@code DeleteOptions}, as in a body.
     *
     * @throws StatusException 400 for another kind or shape, 422 for invalid values
     */
    public static DeleteOptions of(ObjectNode options) throws StatusException {
        String kind = Json.text(options, "kind");
        if (!kind.isEmpty() && !kind.equals("DeleteOptions")) {
            String version = Json.text(options, "apiVersion");
            throw ApiErrors.badRequest("no kind " + FieldErrorMessages.quoted(kind) + " is registered for version "
                    + FieldErrorMessages.quoted(version.isEmpty() ? "meta.k8s.io/v1" : version));
        }
        require(options, "gracePeriodSeconds", "int64", JsonNode::canConvertToLong);
        require(options, "orphanDependents", "bool", JsonNode::isBoolean);
        require(options, "propagationPolicy", "v1.DeletionPropagation", JsonNode::isTextual);
        require(options, "preconditions", "v1.Preconditions", JsonNode::isObject);
        require(options, "preconditions.uid", "types.UID", JsonNode::isTextual);
        require(options, "preconditions.resourceVersion", "string", JsonNode::isTextual);
        require(options, "dryRun", "[]string", JsonNode::isArray);
        for (JsonNode stage : options.path("dryRun")) {
            if (!stage.isTextual() && !stage.isNull()) {
                throw ApiErrors.badRequest(
                        Json.cannotUnmarshal(stage, "Go struct field DeleteOptions.dryRun of type string"));
            }
        }
        var causes = new Causes();
        Propagation propagation = propagation(options, causes);
        List<String> stages = Json.texts(options.path("dryRun"));
        checkStages(stages, causes);
        ApiErrors.checkOptions("DeleteOptions", causes);
        JsonNode preconditions = options.path("preconditions");
        return new DeleteOptions(
                !stages.isEmpty(),
                precondition(preconditions, "uid"),
                precondition(preconditions, "resourceVersion"),
                propagation);
    }

    private static @Nullable String precondition(JsonNode preconditions, String field) {
        return preconditions.hasNonNull(field) ? preconditions.path(field).asText() : null;
    }

    private static void require(ObjectNode options, String field, String type, Predicate<JsonNode> fits)
            throws StatusException {
        int dot = field.indexOf('.');
        JsonNode value = dot < 0
                ? options.path(field)
                : options.path(field.substring(0, dot)).path(field.substring(dot + 1));
        if (!value.isMissingNode() && !value.isNull() && !fits.test(value)) {
            String of = dot < 0 ? "DeleteOptions." : "Preconditions.";
            throw ApiErrors.badRequest(
                    Json.cannotUnmarshal(value, "Go struct field " + of + field + " of type " + type));
        }
    }

    private static Propagation propagation(ObjectNode options, Causes causes) {
        String policy = Json.text(options, "propagationPolicy");
        JsonNode orphan = options.path("orphanDependents");
        boolean both = options.hasNonNull("propagationPolicy") && orphan.isBoolean();
        if (both) {
            causes.field("propagationPolicy", policy)
                    .invalid("orphanDependents and deletionPropagation cannot be both set");
        }
        if (orphan.isBoolean() && !both) {
            return orphan.asBoolean() ? Propagation.ORPHAN : Propagation.NOT_ORPHANED;
        }
        if (!options.hasNonNull("propagationPolicy")) {
            return Propagation.UNSPECIFIED;
        }
        return switch (policy) {
            case "Background" -> Propagation.BACKGROUND;
            case "Foreground" -> Propagation.FOREGROUND;
            case "Orphan" -> Propagation.ORPHAN;
            default -> {
                causes.field("propagationPolicy", policy).notSupported(POLICIES);
                yield Propagation.UNSPECIFIED;
            }
        };
    }

    static void checkStages(List<String> stages, Causes causes) {
        if (!STAGES.containsAll(stages)) {
            String list = stages.stream().map(FieldErrorMessages::quoted).collect(Collectors.joining(",", "[", "]"));
            causes.field("dryRun", "")
                    .add(
                            "FieldValueNotSupported",
                            FieldErrorMessages.notSupported(FieldErrorMessages.clipped(list), STAGES));
        }
    }

    public DeleteOptions withResourceVersion(String version) {
        return new DeleteOptions(dryRun, uid, version, propagation);
    }

    public DeleteOptions asDryRun() {
        return new DeleteOptions(true, uid, resourceVersion, propagation);
    }
}
