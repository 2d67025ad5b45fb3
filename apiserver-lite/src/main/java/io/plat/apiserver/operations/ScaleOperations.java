package io.plat.apiserver.operations;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.apply.Ownership;
import io.plat.apiserver.apply.ScaleOwners;
import io.plat.apiserver.conversion.ObjectConversion;
import io.plat.apiserver.metadata.ObjectIdentity;
import io.plat.apiserver.metadata.ServerManagedFields;
import io.plat.apiserver.objects.TypeRules;
import io.plat.apiserver.operations.Updater.ProposedState;
import io.plat.apiserver.options.WriteOptions;
import io.plat.apiserver.patch.Patch;
import io.plat.apiserver.patch.PatchFormat;
import io.plat.apiserver.selector.LabelSelector;
import io.plat.apiserver.stored.ServedObject;
import io.plat.apiserver.stored.StoredForm;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.ApiErrors;
import io.plat.apiserver.type.Column;
import io.plat.apiserver.type.ResourceType;
import io.plat.apiserver.type.ScaleFields;
import io.plat.apiserver.type.Target;
import io.plat.review.status.Status;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.util.List;
import java.util.Set;

/**
 * The {@code scale} subresource: desired and current replicas of an object, so that scaling requires neither knowledge of the type nor
 * permission to write the object. A write is an update of the object: its validation applies, its generation changes, and the writer owns
 * the replica count. Thread-safe.
 */
public record ScaleOperations(Reader reader, Updater updater, ObjectIdentity identity) {
    public static final String PART = "scale";

    private static final String KIND = "Scale";

    public static final ResourceType TYPE = ResourceType.unstored(
            new ResourceType.Id("autoscaling", "v1", "scales"),
            KIND,
            PART,
            List.of("get", "patch", "update"),
            List.of(
                    new Column("Name", "string", "", "Name of the scaled object.", 0),
                    new Column("Desired", "integer", "", "Desired number of replicas.", 0),
                    new Column("Available", "integer", "", "Current number of replicas.", 0),
                    new Column("Age", "string", "", "Time since the object was created.", 0)));

    /** Marker for an absent replica count, distinct from any value that a client sends. */
    private static final int UNSET = Integer.MIN_VALUE;

    /**
     * Returns the scale of an object.
     *
     * @param resourceVersion minimum version, as for an object
     * @throws StatusException 404 if the object does not exist, 500 if it has no replica count
     */
    public Result.One get(Target object, String resourceVersion) throws StatusException {
        Result.One result = reader.get(object, resourceVersion);
        ScaleFields fields = fields(object.type());
        ObjectNode tree = result.object().tree();
        if (fields.specReplicas(tree).isMissingNode()) {
            throw internal("the spec replicas field \"" + fields.specReplicasPath() + "\" does not exist");
        }
        return shown(object, result, tree);
    }

    /**
     * Updates the scale of an object.
     *
     * @throws StatusException 400, 404, 409, 422 as in Kubernetes
     */
    public Result.One update(Target object, ParsedObject body, WriteOptions options) throws StatusException {
        DecodedObject sent = DecodedObject.of(scaleTarget(object), body, options);
        Updater.checkName(object, sent.name());
        return write(object, options, (current, before) -> new ProposedState(sent));
    }

    public Result.One patch(Target object, PatchFormat format, byte[] body, WriteOptions options)
            throws StatusException {
        Patch patch = ObjectBody.patch(format, body, TYPE.schema());
        return write(object, options, (current, before) -> {
            ObjectNode scale = scale(object, before, current.revision());
            DecodedObject patched = DecodedObject.ofPatched(scaleTarget(object), patch.apply(scale), patch, options);
            Updater.checkName(object, patched.name());
            return new ProposedState(patched);
        });
    }

    /** Applies a scale; its manager owns the replica count afterwards. */
    public Result.One apply(Target object, ParsedObject body, WriteOptions options) throws StatusException {
        DecodedObject config = DecodedObject.ofApplied(scaleTarget(object), body, options);
        ResourceType type = object.type();
        var owners = new ScaleOwners(fields(type).desiredPath(), type.apiVersion());
        return write(object, options, (current, before) -> {
            if (!config.name().isEmpty()) {
                Updater.checkName(object, config.name());
            }
            var writer = new Ownership.Writer(
                    options.manager(), ScaleOwners.SCALE_VERSION, PART, Set.of(), Json.object(), identity.now());
            ArrayNode known = Ownership.of(before);
            ObjectNode scale = scale(object, before, 0);
            scale.remove(List.of("kind", "apiVersion"));
            Ownership.Outcome.Applied applied = ManagedFieldsUpdate.applied(new Ownership(TYPE.schema(), writer)
                    .apply(scale, config.object().deepCopy(), owners.ofScale(known), options.force()));
            return new ProposedState(
                    config.with((ObjectNode) applied.object()), owners.ofObject(known, applied.owners()));
        });
    }

    /** @param change computes the requested scale, with the client's preconditions, and the owners of the object's fields */
    private Result.One write(Target object, WriteOptions options, Updater.Proposal change) throws StatusException {
        var written = new Updater.WriteTarget(object, PART, TypeRules.of(object.type()));
        Result.One result = updater.replace(written, options, (current, before) -> {
            ProposedState desired = change.on(current, before);
            DecodedObject scale = desired.decoded();
            Updater.checkUid(object, scale, Json.text(before.path("metadata"), "uid"));
            // A client that names no version accepts any.
            String state = scale.claims().resourceVersion();
            ServerManagedFields intended = state.isEmpty()
                    ? ServerManagedFields.ofState(current.revision())
                    : ServerManagedFields.ofState(state);
            ObjectNode after = scaled(object, before, replicas(object, scale));
            return new ProposedState(new DecodedObject(after, intended, scale.warnings()), desired.owners());
        });
        return shown(object, result, result.object().tree());
    }

    private static int replicas(Target object, DecodedObject scale) throws StatusException {
        int replicas = scale.object().path("spec").path("replicas").asInt(0);
        if (replicas == UNSET) {
            throw ApiErrors.badRequest(
                    "the spec replicas field \"" + fields(object.type()).specReplicasPath() + "\" cannot be empty");
        }
        // The rules of a custom type report this themselves.
        if (replicas < 0 && object.type().form() == null) {
            throw ApiErrors.invalid(
                    TYPE,
                    object.name(),
                    causes -> causes.field("spec.replicas", "")
                            .invalidLiteral(Integer.toString(replicas), "must be greater than or equal to 0"));
        }
        return replicas;
    }

    private static ObjectNode scaled(Target object, ObjectNode before, int replicas) {
        ObjectNode served = ObjectConversion.serve(object.type(), before.deepCopy());
        fields(object.type()).setReplicas(served, replicas);
        return ObjectConversion.store(object.type(), served);
    }

    /** Returns the scale of a stored state, with kind and apiVersion. */
    private static ObjectNode scale(Target object, ObjectNode before, long revision) throws StatusException {
        ObjectNode served = ObjectConversion.serve(object.type(), before.deepCopy());
        ObjectNode scale = of(object.type(), served);
        if (fields(object.type()).specReplicas(served).isMissingNode()) {
            Json.child(scale, "spec").put("replicas", UNSET);
        }
        if (revision > 0) {
            Json.child(scale, "metadata").put("resourceVersion", Long.toString(revision));
        }
        return scale;
    }

    private static Result.One shown(Target object, Result.One result, ObjectNode tree) throws StatusException {
        ObjectNode scale = of(object.type(), tree);
        ServedObject served = ServedObject.unwritten(
                TYPE, object.key(), StoredForm.encode(scale), result.object().revision());
        return new Result.One(result.code(), served, result.warnings());
    }

    static ObjectNode of(ResourceType type, ObjectNode object) throws StatusException {
        ScaleFields fields = fields(type);
        ObjectNode scale = Json.object().put("kind", KIND).put("apiVersion", TYPE.apiVersion());
        ObjectNode metadata = scale.putObject("metadata");
        for (String name : List.of("name", "namespace", "uid", "creationTimestamp")) {
            if (object.path("metadata").has(name)) {
                metadata.set(name, object.path("metadata").path(name));
            }
        }
        ObjectNode spec = scale.putObject("spec");
        int desired = number(fields.specReplicas(object), fields.specReplicasPath());
        if (desired != 0) {
            spec.put("replicas", desired);
        }
        ObjectNode status = scale.putObject("status");
        status.put("replicas", number(fields.present(object), fields.statusReplicasPath()));
        String selector = selector(type, fields, object);
        if (!selector.isEmpty()) {
            status.put("selector", selector);
        }
        return scale;
    }

    private static int number(JsonNode value, String path) throws StatusException {
        if (!value.isMissingNode() && !value.isIntegralNumber()) {
            throw internal(path + " accessor error: " + value + " is not an integer");
        }
        return value.asInt(0);
    }

    private static String selector(ResourceType type, ScaleFields fields, ObjectNode object) throws StatusException {
        JsonNode selector = fields.selector(object);
        if (type.form() == null) {
            return LabelSelector.text(selector);
        }
        if (!selector.isMissingNode() && !selector.isTextual()) {
            throw internal(fields.labelSelectorPath() + " accessor error: " + selector + " is not a string");
        }
        return selector.asText("");
    }

    private static ScaleFields fields(ResourceType type) {
        return type.form() == null
                ? ScaleFields.BUILT_IN
                : type.form().scale().orElseThrow(() -> new IllegalStateException("no scale of " + type.id()));
    }

    private static Target scaleTarget(Target object) {
        return new Target(TYPE, object.namespace(), object.name());
    }

    private static StatusException internal(String message) {
        return new StatusException(Status.of(StatusReason.INTERNAL_ERROR, "Internal error occurred: " + message)
                .withDetails(new Status.Details("", "", "", "", List.of(new Status.Cause("", message, "")), 0)));
    }
}
