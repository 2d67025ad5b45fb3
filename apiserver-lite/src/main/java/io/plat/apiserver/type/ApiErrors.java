package io.plat.apiserver.type;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.apiserver.apply.Ownership;
import io.plat.apiserver.rules.Causes;
import io.plat.apiserver.schema.FieldErrorMessages;
import io.plat.apiserver.storage.StorageException;
import io.plat.review.status.Status;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Failures with Kubernetes' messages and details. */
public final class ApiErrors {
    private static final String MODIFIED =
            "the object has been modified; please apply your changes to the latest version and try again";

    private static final int MAX_QUOTED = 1000;

    private ApiErrors() {}

    public static StatusException badRequest(String message) {
        return new StatusException(StatusReason.BAD_REQUEST, message);
    }

    /** Returns the failure for a path at which nothing is served. */
    public static StatusException notFound() {
        return withoutObject(StatusReason.NOT_FOUND, "the server could not find the requested resource");
    }

    public static StatusException unsupportedMediaType(String accepted) {
        return new StatusException(
                StatusReason.UNSUPPORTED_MEDIA_TYPE,
                "the body of the request was in an unknown format - accepted media types include: " + accepted);
    }

    /** Returns the failure for a format that is no patch format; its message differs from that for a format that a type does not support. */
    public static StatusException unknownPatchFormat() {
        return withoutObject(StatusReason.UNSUPPORTED_MEDIA_TYPE, "415: Unsupported Media Type");
    }

    /** Returns the failure for an authorized operation that requires nodes. */
    public static StatusException notImplemented(String operation) {
        return withoutObject(
                StatusReason.NOT_IMPLEMENTED, operation + " is not implemented: this server runs no nodes");
    }

    public static StatusException notFound(ResourceType type, String name) {
        return about(StatusReason.NOT_FOUND, type, name, type.groupResource() + " \"" + name + "\" not found");
    }

    public static StatusException namespaceNotFound(String namespace) {
        return new StatusException(Status.of(StatusReason.NOT_FOUND, "namespaces \"" + namespace + "\" not found")
                .withDetails(Status.Details.about("", "namespaces", namespace)));
    }

    public static StatusException alreadyExists(ResourceType type, String name, String more) {
        return about(
                StatusReason.ALREADY_EXISTS,
                type,
                name,
                type.groupResource() + " \"" + name + "\" already exists" + more);
    }

    public static StatusException conflict(ResourceType type, String name) {
        return conflict(type, name, MODIFIED);
    }

    public static StatusException conflict(ResourceType type, String name, String reason) {
        return about(
                StatusReason.CONFLICT,
                type,
                name,
                "Operation cannot be fulfilled on " + type.groupResource() + " \"" + name + "\": " + reason);
    }

    public static StatusException otherUid(Target target, String expected, String actual) {
        return conflict(target.type(), target.name(), precondition("UID", expected, actual));
    }

    private static String precondition(String field, String expected, String actual) {
        return "Precondition failed: " + field + " in precondition: " + expected + ", " + field + " in object meta: "
                + actual;
    }

    /**
     * Returns the failure of a deletion with a precondition; Kubernetes names the kind here, not the resource, except for namespaces.
     *
     * @param field {@code UID} or {@code ResourceVersion}
     */
    public static StatusException otherState(
            Target target, String field, String expected, String actual, String change) {
        ResourceType type = target.type();
        if (type.storage().equals(ResourceCatalog.NAMESPACES)) {
            return conflict(type, target.name(), precondition(field, expected, actual));
        }
        String message = "Operation cannot be fulfilled on " + type.groupKind() + " \"" + target.name() + "\": the "
                + field
                + " in the precondition (" + expected + ") does not match the " + field + " in record (" + actual
                + "). The object might have been " + change;
        return new StatusException(Status.of(StatusReason.CONFLICT, message)
                .withDetails(Status.Details.about(type.group(), type.kind(), target.name())));
    }

    public static StatusException forbidden(Target target, String reason) {
        return forbidden(target.type(), target.name(), reason, List.of());
    }

    public static StatusException forbidden(ResourceType type, String name, String reason, List<Status.Cause> causes) {
        String message = type.groupResource() + " \"" + name + "\" is forbidden: " + reason;
        return new StatusException(Status.of(StatusReason.FORBIDDEN, message)
                .withDetails(new Status.Details(name, type.group(), type.resource(), "", causes, 0)));
    }

    public static StatusException applyConflict(List<Ownership.Conflict> conflicts) {
        var causes = new Causes();
        var byOwner = new TreeMap<String, List<String>>();
        for (Ownership.Conflict conflict : conflicts.subList(0, Math.min(conflicts.size(), Ownership.MAX_REPORTED))) {
            causes.add("FieldManagerConflict", "conflict with " + conflict.owner(), conflict.path());
            byOwner.computeIfAbsent(conflict.owner(), owner -> new ArrayList<>())
                    .add(FieldErrorMessages.clipped(conflict.path()));
        }
        String message;
        if (conflicts.size() == 1) {
            Ownership.Conflict only = conflicts.getFirst();
            message = "Apply failed with 1 conflict: conflict with " + only.owner() + ": "
                    + FieldErrorMessages.clipped(only.path());
        } else {
            var lines = new ArrayList<String>();
            byOwner.forEach((owner, paths) -> {
                lines.add("conflicts with " + owner + ":");
                paths.forEach(path -> lines.add("- " + path));
            });
            message = "Apply failed with " + conflicts.size() + " conflicts: " + String.join("\n", lines);
        }
        return new StatusException(Status.of(StatusReason.CONFLICT, message)
                .withDetails(new Status.Details("", "", "", "", causes.list(), 0)));
    }

    /** Returns the failure for an invalid object or query that is not stored. */
    public static StatusException invalid(String group, String kind, String name, List<Status.Cause> causes) {
        return invalid(
                new Status.Details(name, group, kind, "", causes, 0), group.isEmpty() ? kind : kind + "." + group);
    }

    /** Returns the failure for an invalid object, with the errors that are reported. */
    public static StatusException invalid(ResourceType type, String name, Consumer<Causes> errors) {
        return invalid(type, name, Causes.of(errors));
    }

    private static StatusException invalid(ResourceType type, String name, List<Status.Cause> causes) {
        // Events of both groups are those of the core group, as in kube-apiserver.
        boolean event = type.storage().equals("events");
        return invalid(
                new Status.Details(
                        FieldErrorMessages.clipped(name), event ? "" : type.group(), type.kind(), "", causes, 0),
                event ? type.kind() : type.groupKind());
    }

    /**
     * Runs the checks of an object.
     *
     * @throws StatusException 422 with the errors that they find
     */
    public static void requireValid(ResourceType type, String name, Consumer<Causes> checks) throws StatusException {
        List<Status.Cause> causes = Causes.of(checks);
        if (!causes.isEmpty()) {
            throw invalid(type, name, causes);
        }
    }

    /** Returns the failure for a custom object of another kind. */
    public static StatusException wrongKind(ResourceType type, String kind, String name) {
        var causes = new Causes();
        causes.field("kind", kind).invalid("must be " + type.kind());
        return invalid(type.group(), kind, name, causes.list());
    }

    /** Returns the failure for an update without a resourceVersion, if its type requires one; named by the resource, as in Kubernetes. */
    public static StatusException versionRequired(ResourceType type, String name) {
        var causes = new Causes();
        causes.field("metadata.resourceVersion", "").invalidLiteral("0", "must be specified for an update");
        return invalid(
                new Status.Details(name, type.group(), type.resource(), "", causes.list(), 0), type.groupResource());
    }

    public static void checkOptions(String kind, Causes causes) throws StatusException {
        if (!causes.isEmpty()) {
            throw invalid("meta.k8s.io", kind, "", causes.list());
        }
    }

    /** Returns the failure for a patch whose result is malformed. A short object is quoted, unless it is a secret. */
    public static StatusException unreadablePatch(ResourceType type, JsonNode patched, String reason) {
        String text = type.kind().equals("Secret") ? "" : patched.toString();
        var causes = new Causes();
        causes.field("patch", text.isEmpty() || text.length() > MAX_QUOTED ? "{...}" : text)
                .invalid(reason);
        return invalid(new Status.Details("", "", "", "", causes.list(), 0), "");
    }

    private static StatusException invalid(Status.Details details, String what) {
        List<String> texts = details.causes().stream()
                .map(cause -> cause.field() + ": " + cause.message())
                .distinct()
                .toList();
        String all = texts.size() == 1 ? texts.getFirst() : "[" + String.join(", ", texts) + "]";
        String message = what + " \"" + details.name() + "\" is invalid: " + all;
        return new StatusException(Status.of(StatusReason.INVALID, message).withDetails(details));
    }

    public static StatusException methodNotAllowed() {
        return withoutObject(
                StatusReason.METHOD_NOT_ALLOWED, "the server does not allow this method on the requested resource");
    }

    /** Returns the failure for a verb that a custom type does not have. */
    public static StatusException methodNotSupported(ResourceType type, String verb) {
        String message = verb + " is not supported on resources of kind \"" + type.groupResource() + "\"";
        return about(StatusReason.METHOD_NOT_ALLOWED, type, "", message);
    }

    public static StatusException tooLarge(long revision, long current) {
        var cause = new Status.Cause("ResourceVersionTooLarge", "Too large resource version", "");
        return new StatusException(Status.of(
                        StatusReason.TIMEOUT,
                        "Timeout: Too large resource version: " + revision + ", current: " + current)
                .withDetails(new Status.Details("", "", "", "", List.of(cause), 1)));
    }

    public static StatusException expired(long from, long oldest) {
        return new StatusException(StatusReason.EXPIRED, "too old resource version: " + from + " (" + oldest + ")");
    }

    public static StatusException listExpired() {
        return new StatusException(StatusReason.EXPIRED, "The resourceVersion for the provided list is too old.");
    }

    /** Returns the failure for an expired token, with another one that continues inconsistently. */
    public static StatusException tokenExpired(String inconsistent) {
        String message =
                "The provided continue parameter is too old to display a consistent list result. You can start a new"
                        + " list without the continue parameter, or use the continue token in this response to retrieve"
                        + " the remainder of the results. Continuing with the provided token results in an inconsistent"
                        + " list - objects that were created, modified, or deleted between the time the first chunk was"
                        + " returned and now may show up in the list.";
        return new StatusException(Status.of(StatusReason.EXPIRED, message).withContinue(inconsistent));
    }

    /** Returns the failure for a storage failure. The details are logged; clients receive only what they can act on. */
    public static StatusException storage(StorageException e) {
        return switch (e.kind()) {
            case OVERLOADED ->
                new StatusException(
                        Status.of(StatusReason.TOO_MANY_REQUESTS, "the storage is busy, please try again later")
                                .withRetryAfter(1));
            case TOO_LARGE ->
                new StatusException(
                        StatusReason.REQUEST_ENTITY_TOO_LARGE, "the object is too large: " + e.getMessage());
            case CLOSED, LOST, UNAVAILABLE ->
                new StatusException(
                        StatusReason.SERVICE_UNAVAILABLE, "the storage is not available: " + e.getMessage());
            case FULL, READ_ONLY, IN_USE, IO_ERROR ->
                new StatusException(
                        Status.of(StatusReason.SERVICE_UNAVAILABLE, "the storage accepts no writes: " + e.getMessage())
                                .withRetryAfter(1));
            case CORRUPT, UNKNOWN_FORMAT, UNCERTAIN ->
                new StatusException(
                        StatusReason.INTERNAL_ERROR, "Internal error occurred: the storage failed: " + e.getMessage());
        };
    }

    private static StatusException about(StatusReason reason, ResourceType type, String name, String message) {
        return new StatusException(
                Status.of(reason, message).withDetails(Status.Details.about(type.group(), type.resource(), name)));
    }

    private static StatusException withoutObject(StatusReason reason, String message) {
        return new StatusException(Status.of(reason, message).withDetails(Status.Details.about("", "", "")));
    }
}
