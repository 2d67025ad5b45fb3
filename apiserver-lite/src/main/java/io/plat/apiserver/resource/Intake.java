package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.review.status.StatusException;
import java.util.List;

/**
 * An object as a client sent it, on its way to being stored: of the type and in the namespace that the path names, in shape, in the
 * stored version, without what only the server says.
 *
 * @param object the object, with metadata
 * @param warnings what the client should know
 */
record Intake(ObjectNode object, List<String> warnings) {
    /**
     * Takes an object in.
     *
     * @param body what was sent; not changed
     * @throws StatusException 400 if it can't be what the path names
     */
    static Intake of(Target target, ObjectNode body, WriteOptions options) throws StatusException {
        ResourceType type = target.type();
        checkKind(type, body);
        ObjectNode object = body.deepCopy();
        object.put("kind", type.kind());
        object.put("apiVersion", type.apiVersion());
        List<String> unknown = Shape.apply(type, Schemas.builtIn(), object);
        if (!unknown.isEmpty() && options.fieldValidation() == WriteOptions.FieldValidation.STRICT) {
            throw Shape.strict(type, unknown);
        }
        ObjectNode metadata = Json.child(object, "metadata");
        checkNamespace(target, metadata);
        metadata.remove(List.of("managedFields", "selfLink"));
        boolean warn = options.fieldValidation() == WriteOptions.FieldValidation.WARN;
        return new Intake(Versions.store(type, object), warn ? Shape.warnings(unknown) : List.of());
    }

    /** What is not said is what the path says. */
    private static void checkKind(ResourceType type, ObjectNode body) throws StatusException {
        String apiVersion = Json.text(body, "apiVersion");
        String kind = Json.text(body, "kind");
        String version = apiVersion.isEmpty() ? type.apiVersion() : apiVersion;
        if (!kind.isEmpty() && !kind.equals(type.kind())) {
            throw wrongKind(type, version, kind);
        }
        if (!version.equals(type.apiVersion())) {
            throw Refusals.badRequest("the API version in the data (" + version
                    + ") does not match the expected API version (" + type.apiVersion() + ")");
        }
    }

    private static StatusException wrongKind(ResourceType type, String apiVersion, String kind) {
        int slash = apiVersion.indexOf('/');
        String group = slash < 0 ? "" : apiVersion.substring(0, slash);
        String version = apiVersion.substring(slash + 1);
        String why = Schemas.builtIn().knows(group, version, kind)
                ? "converting (" + version + "." + kind + ") to (" + internal(type.group()) + "." + type.kind()
                        + "): unknown conversion"
                : "no kind " + Causes.quoted(kind) + " is registered for version " + Causes.quoted(apiVersion);
        return Refusals.badRequest(
                kind + " in version " + Causes.quoted(version) + " cannot be handled as a " + type.kind() + ": " + why);
    }

    /** The short name that messages of the field give a group. */
    private static String internal(String group) {
        int dot = group.indexOf('.');
        return group.isEmpty() ? "core" : dot < 0 ? group : group.substring(0, dot);
    }

    private static void checkNamespace(Target target, ObjectNode metadata) throws StatusException {
        String namespace = Json.text(metadata, "namespace");
        if (!namespace.isEmpty() && !namespace.equals(target.namespace())) {
            throw Refusals.badRequest(
                    "the namespace of the provided object does not match the namespace sent on the request");
        }
        if (target.namespace().isEmpty()) {
            metadata.remove("namespace");
        } else {
            metadata.put("namespace", target.namespace());
        }
    }
}
