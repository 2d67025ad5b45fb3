package io.plat.apiserver.options;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.patch.JsonKind;
import io.plat.apiserver.rules.Causes;
import io.plat.apiserver.schema.FieldWords;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.Refusals;
import io.plat.review.status.StatusException;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How a deletion is meant. A grace period is read and has no effect: no node runs
 * what is deleted, so nothing needs time to end.
 *
 * @param dryRun go all the way and delete nothing
 * @param uid delete only the object that has this uid; null for whichever there is
 * @param resourceVersion delete only this state; null for whichever there is
 * @param propagation what becomes of what the object owns
 */
public record DeleteOptions(
        boolean dryRun, @Nullable String uid, @Nullable String resourceVersion, Propagation propagation) {
    /** A plain deletion. */
    public static final DeleteOptions DEFAULT = new DeleteOptions(false, null, null, Propagation.UNSAID);

    private static final List<String> STAGES = List.of("All");
    private static final List<String> POLICIES = List.of("Foreground", "Background", "Orphan", "nil");

    /** What becomes of the objects that a deleted one owns. */
    public enum Propagation {
        /** Nothing was said: what the object's finalizers say, else as {@link #BACKGROUND}. */
        UNSAID,
        /** They are deleted once it is gone. */
        BACKGROUND,
        /** The same, said by the older option, whose users are told by a 202 that the object is still there. */
        NOT_ORPHANED,
        /** They are deleted before it. */
        FOREGROUND,
        /** They stay, and no longer refer to it. */
        ORPHAN
    }

    public DeleteOptions {
        Objects.requireNonNull(propagation);
    }

    /**
     * The deletion of exactly one state of an object.
     *
     * @param uid the object's uid
     * @param resourceVersion the state
     */
    public static DeleteOptions exactly(String uid, String resourceVersion, Propagation propagation) {
        return new DeleteOptions(false, uid, resourceVersion, propagation);
    }

    /**
     * Reads an object of kind {@code DeleteOptions}, such as a body may hold.
     *
     * @throws StatusException 400 if it is of another kind or shape, 422 if it can't be meant
     */
    public static DeleteOptions of(ObjectNode options) throws StatusException {
        String kind = Json.text(options, "kind");
        if (!kind.isEmpty() && !kind.equals("DeleteOptions")) {
            String version = Json.text(options, "apiVersion");
            throw Refusals.badRequest("no kind " + FieldWords.quoted(kind) + " is registered for version "
                    + FieldWords.quoted(version.isEmpty() ? "meta.k8s.io/v1" : version));
        }
        require(options, "gracePeriodSeconds", "int64", JsonNode::canConvertToLong);
        require(options, "orphanDependents", "bool", JsonNode::isBoolean);
        require(options, "propagationPolicy", "string", JsonNode::isTextual);
        require(options, "preconditions", "v1.Preconditions", JsonNode::isObject);
        require(options, "dryRun", "[]string", JsonNode::isArray);
        var causes = new Causes();
        Propagation propagation = propagation(options, causes);
        List<String> stages = Json.texts(options.path("dryRun"));
        checkStages(stages, causes);
        if (!causes.isEmpty()) {
            throw Refusals.invalidOptions("DeleteOptions", causes.list());
        }
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

    private interface Test {
        boolean holds(JsonNode value);
    }

    private static void require(ObjectNode options, String field, String type, Test test) throws StatusException {
        JsonNode value = options.path(field);
        if (!value.isMissingNode() && !value.isNull() && !test.holds(value)) {
            throw Refusals.badRequest("json: cannot unmarshal " + JsonKind.of(value) + " into Go struct field"
                    + " DeleteOptions." + field + " of type " + type);
        }
    }

    private static Propagation propagation(ObjectNode options, Causes causes) {
        String policy = Json.text(options, "propagationPolicy");
        JsonNode orphan = options.path("orphanDependents");
        boolean both = options.hasNonNull("propagationPolicy") && orphan.isBoolean();
        if (both) {
            causes.invalid("propagationPolicy", policy, "orphanDependents and deletionPropagation cannot be both set");
        }
        if (orphan.isBoolean() && !both) {
            return orphan.asBoolean() ? Propagation.ORPHAN : Propagation.NOT_ORPHANED;
        }
        if (!options.hasNonNull("propagationPolicy")) {
            return Propagation.UNSAID;
        }
        return switch (policy) {
            case "Background" -> Propagation.BACKGROUND;
            case "Foreground" -> Propagation.FOREGROUND;
            case "Orphan" -> Propagation.ORPHAN;
            default -> {
                causes.notSupported("propagationPolicy", policy, POLICIES);
                yield Propagation.UNSAID;
            }
        };
    }

    /** Says so where a dry run is to end at a stage that there is not. */
    static void checkStages(List<String> stages, Causes causes) {
        if (!STAGES.containsAll(stages)) {
            String list = stages.stream().map(FieldWords::quoted).collect(Collectors.joining(",", "[", "]"));
            causes.notSupportedLiteral("dryRun", list, STAGES);
        }
    }

    /** The same of one state. */
    public DeleteOptions inState(String state) {
        return new DeleteOptions(dryRun, uid, state, propagation);
    }

    /** The same, gone all the way without deleting. */
    public DeleteOptions asDryRun() {
        return new DeleteOptions(true, uid, resourceVersion, propagation);
    }
}
