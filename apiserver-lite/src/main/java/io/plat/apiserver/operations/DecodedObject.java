package io.plat.apiserver.operations;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.apply.Ownership;
import io.plat.apiserver.conversion.AutoscalerConversion;
import io.plat.apiserver.conversion.ObjectConversion;
import io.plat.apiserver.metadata.MetadataRules;
import io.plat.apiserver.metadata.ServerManagedFields;
import io.plat.apiserver.options.WriteOptions;
import io.plat.apiserver.patch.Patch;
import io.plat.apiserver.schema.FieldErrorMessages;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.ApiErrors;
import io.plat.apiserver.type.ResourceType;
import io.plat.apiserver.type.Schemas;
import io.plat.apiserver.type.Shape;
import io.plat.apiserver.type.Target;
import io.plat.apiserver.type.TypeForm;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Decoded object of a request: its type and namespace match the path, and it is in valid shape and stored form, without server-managed
 * fields.
 *
 * @param object object with metadata, without kind and apiVersion
 */
record DecodedObject(ObjectNode object, ServerManagedFields claims, List<String> warnings) {
    private static final List<String> KIND = List.of("kind", "apiVersion");
    private static final String NO_KIND = "no kind ";
    private static final List<String> DROPPED = List.of(Ownership.FIELD, "selfLink");

    /**
     * Decodes an object.
     *
     * @param sent sent object; consumed and modified
     * @throws StatusException 400 if it does not match the path
     */
    static DecodedObject of(Target target, ParsedObject sent, WriteOptions options) throws StatusException {
        return of(target, sent, options, false);
    }

    private static DecodedObject of(Target target, ParsedObject sent, WriteOptions options, boolean applied)
            throws StatusException {
        ResourceType type = target.type();
        JsonNode managed = managed(sent.object());
        String name = name(sent);
        List<String> unknown = normalize(type, sent.object(), applied);
        if (applied) {
            checkOwnable(type, name, unknown, sent.object());
        }
        List<String> warnings = sent.warnings(type, unknown);
        refuse(type, warnings, options);
        return stored(target, sent.object(), managed, new BodyWarnings(warnings, false, applied), options);
    }

    private static String name(ParsedObject sent) {
        JsonNode metadata = sent.object().path("metadata");
        return Json.text(metadata, "namespace") + "/" + Json.text(metadata, "name");
    }

    /** Rejects an applied object with fields that cannot be owned: the type lacks them, or nothing identifies their elements. */
    private static void checkOwnable(ResourceType type, String name, List<String> unknown, ObjectNode object)
            throws StatusException {
        List<String> lines = new ArrayList<>();
        unknown.forEach(path -> lines.add("." + FieldErrorMessages.clipped(path) + ": field not declared in schema"));
        lines.addAll(Ownership.problems(ObjectConversion.structure(type), object));
        if (!lines.isEmpty()) {
            throw ApiErrors.badRequest("failed to create typed patch object (" + FieldErrorMessages.clipped(name)
                    + "; " + type.group() + "/" + type.version() + ", Kind=" + type.kind() + "): "
                    + (lines.size() == 1 ? lines.getFirst() : "errors:\n  " + String.join("\n  ", lines)));
        }
    }

    /** Rejects a body with unknown or duplicate fields under strict validation. */
    private static void refuse(ResourceType type, List<String> warnings, WriteOptions options) throws StatusException {
        if (!warnings.isEmpty() && options.fieldValidation() == WriteOptions.FieldValidation.STRICT) {
            throw Shape.cannotBeHandled(type, Shape.strict(warnings));
        }
    }

    /** Rejects unknown and duplicate fields as {@link #refuse} does, or warns of them. */
    static void warn(ResourceType type, List<String> warnings, WriteOptions options) throws StatusException {
        refuse(type, warnings, options);
        if (options.fieldValidation() == WriteOptions.FieldValidation.WARN) {
            options.warn(warnings);
        }
    }

    /**
     * Decodes the result of a patch.
     *
     * @param patched patched object; consumed and modified
     * @throws StatusException 422 if it is no longer a valid object of the type, 400 if it is another object
     */
    static DecodedObject ofPatched(Target target, JsonNode patched, Patch patch, WriteOptions options)
            throws StatusException {
        ResourceType type = target.type();
        if (!(patched instanceof ObjectNode object)) {
            String reason = Json.cannotUnmarshal(patched, "Go value of type " + type.kind());
            throw ApiErrors.unreadablePatch(type, patched, reason);
        }
        if (!patch.keepsType()
                && !type.isCustom()
                && Json.text(object, "apiVersion").isEmpty()) {
            throw withoutVersion(target, object, options);
        }
        var warnings = new ArrayList<>(patch.warnings());
        JsonNode managed = managed(object);
        try {
            ObjectBody.checkType(object);
            ObjectBody.requireKind(type, object, object::toString);
            warnings.addAll(Shape.warnings(normalize(type, object, false)));
        } catch (StatusException e) {
            if (e.status().reason() != StatusReason.BAD_REQUEST) {
                throw e;
            }
            String reason = Shape.withoutType(type, e.status().message());
            int unregistered = reason.indexOf(NO_KIND);
            throw ApiErrors.unreadablePatch(type, patched, unregistered < 0 ? reason : reason.substring(unregistered));
        }
        if (!warnings.isEmpty() && options.fieldValidation() == WriteOptions.FieldValidation.STRICT) {
            throw ApiErrors.unreadablePatch(type, patched, Shape.strict(warnings));
        }
        return stored(target, object, managed, new BodyWarnings(warnings, true, false), options);
    }

    /** Returns the failure for a patched object without apiVersion, which kube-apiserver decodes as its internal version: its fields are unknown. */
    private static StatusException withoutVersion(Target target, ObjectNode object, WriteOptions options)
            throws StatusException {
        ResourceType type = target.type();
        String kind = Json.text(object, "kind");
        if (!kind.isEmpty() && !kind.equals(type.kind())) {
            return ApiErrors.unreadablePatch(
                    type,
                    object,
                    NO_KIND + FieldErrorMessages.quoted(kind) + " is registered for the internal version of group "
                            + FieldErrorMessages.quoted(type.group()));
        }
        List<String> warnings = Shape.warnings(object.propertyStream()
                .map(Map.Entry::getKey)
                .filter(name -> !KIND.contains(name))
                .sorted()
                .toList());
        if (options.fieldValidation() == WriteOptions.FieldValidation.STRICT) {
            return ApiErrors.unreadablePatch(type, object, Shape.strict(warnings));
        }
        warn(type, warnings, options);
        return ApiErrors.badRequest("the name of the object (" + target.name()
                + " based on URL) was undeterminable: name must be provided");
    }

    private static List<String> normalize(ResourceType type, ObjectNode object, boolean applied)
            throws StatusException {
        checkKind(type, object);
        object.remove(KIND);
        if (type.form() != null && type.form().normalizes()) {
            return normalizeByForm(type, type.form(), object, applied);
        }
        return applied ? Shape.applied(type, object) : Shape.apply(type, object);
    }

    /** Metadata has one shape for all types; the form shapes the rest. */
    private static List<String> normalizeByForm(ResourceType type, TypeForm form, ObjectNode object, boolean applied)
            throws StatusException {
        var unknown = new ArrayList<String>();
        ObjectNode only = Json.object();
        if (object.hasNonNull("metadata")) {
            only.set("metadata", object.path("metadata"));
            unknown.addAll(Shape.metadata(type, only));
        }
        object.remove("metadata");
        unknown.addAll(applied ? form.normalizeApplied(object) : form.normalize(object));
        for (var one : form.embeddedMetadata(object).entrySet()) {
            unknown.addAll(Shape.embedded(type, one.getValue(), one.getKey()));
        }
        object.setAll(only);
        return unknown;
    }

    /** Copies the managed fields as sent: shaping drops an empty list and changes entries, but not their sets of fields. */
    private static JsonNode managed(ObjectNode object) {
        JsonNode managed = object.path("metadata").path(Ownership.FIELD);
        if (!(managed instanceof ArrayNode entries)) {
            return managed.deepCopy();
        }
        ArrayNode copy = Json.MAPPER.createArrayNode();
        entries.forEach(entry ->
                copy.add(entry instanceof ObjectNode one ? Json.object().<ObjectNode>setAll(one) : entry));
        return copy;
    }

    /**
     * Warnings about an object.
     *
     * @param warnings one-line warnings
     * @param patched whether it is the result of a patch
     * @param applied whether it is an apply configuration
     */
    private record BodyWarnings(List<String> warnings, boolean patched, boolean applied) {}

    private static DecodedObject stored(
            Target target, ObjectNode object, JsonNode managed, BodyWarnings bodyWarnings, WriteOptions options)
            throws StatusException {
        ObjectNode metadata = Json.child(object, "metadata");
        checkNamespace(target, metadata);
        MetadataRules.checkManagers(target, managed.size());
        metadata.remove(DROPPED);
        ServerManagedFields claims = ServerManagedFields.takeFrom(metadata, managed);
        List<String> warnings = new ArrayList<>();
        if (options.fieldValidation() == WriteOptions.FieldValidation.WARN) {
            warnings.addAll(bodyWarnings.warnings());
        }
        MetadataRules.removeDuplicateOwners(metadata, bodyWarnings.patched()).ifPresent(warnings::add);
        options.warn(warnings);
        ResourceType type = target.type();
        ObjectNode stored = bodyWarnings.applied() && type.form() != null
                ? type.form().storeApplied(object)
                : ObjectConversion.store(type, object);
        if (AutoscalerConversion.is(type)) {
            // Values restored from annotations have not been shaped yet.
            Shape.apply(type, ObjectConversion.schema(type), stored);
        }
        return new DecodedObject(stored, claims, List.copyOf(warnings));
    }

    /**
     * Decodes an apply configuration, which is not a whole object.
     *
     * @param sent sent object; consumed and modified
     * @throws StatusException 400 if it cannot be applied
     */
    static DecodedObject ofApplied(Target target, ParsedObject sent, WriteOptions options) throws StatusException {
        if (sent.object().path("metadata").hasNonNull(Ownership.FIELD)) {
            throw ApiErrors.badRequest("metadata.managedFields must be nil");
        }
        String version = Json.text(sent.object(), "apiVersion");
        String kind = Json.text(sent.object(), "kind");
        if (!version.equals(target.type().apiVersion())
                || !kind.equals(target.type().kind())) {
            throw ApiErrors.badRequest(
                    "invalid object type: " + (version.contains("/") ? "" : "/") + version + ", Kind=" + kind);
        }
        return of(target, sent, options, true);
    }

    /** Returns this object with a revision as its resourceVersion, unless the client sent one. */
    DecodedObject on(long revision) {
        return claims.resourceVersion().isEmpty()
                ? new DecodedObject(object, claims.of(Long.toString(revision)), warnings)
                : this;
    }

    DecodedObject with(ObjectNode other) {
        return new DecodedObject(other, claims, warnings);
    }

    String name() {
        return Json.text(object.path("metadata"), "name");
    }

    /** Checks kind and apiVersion, which default to those of the path; apiVersion does so only for built-in types. */
    static void checkKind(ResourceType type, ObjectNode body) throws StatusException {
        String apiVersion = Json.text(body, "apiVersion");
        String kind = Json.text(body, "kind");
        String version = apiVersion.isEmpty() && !type.isCustom() ? type.apiVersion() : apiVersion;
        if (!kind.isEmpty() && !kind.equals(type.kind()) && (!type.isCustom() || version.equals(type.apiVersion()))) {
            throw type.isCustom()
                    ? ApiErrors.wrongKind(type, kind, Json.text(body.path("metadata"), "name"))
                    : wrongKind(type, version, kind);
        }
        if (!version.equals(type.apiVersion())) {
            if (!type.isCustom() && !isKnown(version, type.kind())) {
                throw wrongKind(type, version, type.kind());
            }
            throw ApiErrors.badRequest("the API version in the data (" + version
                    + ") does not match the expected API version (" + type.apiVersion() + ")");
        }
    }

    /** Returns whether Kubernetes has a kind in a version, in any type. */
    static boolean isKnown(String apiVersion, String kind) {
        int slash = apiVersion.indexOf('/');
        String group = slash < 0 ? "" : apiVersion.substring(0, slash);
        return Schemas.builtIn().knows(group, apiVersion.substring(slash + 1), kind);
    }

    private static StatusException wrongKind(ResourceType type, String apiVersion, String kind) {
        String version = apiVersion.substring(apiVersion.indexOf('/') + 1);
        String reason = isKnown(apiVersion, kind)
                ? "converting (" + version + "." + kind + ") to (" + internal(type.group()) + "." + type.kind()
                        + "): unknown conversion"
                : NO_KIND + FieldErrorMessages.quoted(kind) + " is registered for version "
                        + FieldErrorMessages.quoted(apiVersion);
        return ApiErrors.badRequest(kind + " in version " + FieldErrorMessages.quoted(version)
                + " cannot be handled as a " + type.kind() + ": " + reason);
    }

    /** Returns the internal group name in Kubernetes' messages. */
    private static String internal(String group) {
        int dot = group.indexOf('.');
        return group.isEmpty() ? "core" : dot < 0 ? group : group.substring(0, dot);
    }

    static void checkNamespace(Target target, ObjectNode metadata) throws StatusException {
        String namespace = Json.text(metadata, "namespace");
        if (!namespace.isEmpty() && !target.namespace().isEmpty() && !namespace.equals(target.namespace())) {
            throw ApiErrors.badRequest(
                    "the namespace of the provided object does not match the namespace sent on the request");
        }
        if (target.namespace().isEmpty()) {
            metadata.remove("namespace");
        } else {
            metadata.put("namespace", target.namespace());
        }
    }
}
