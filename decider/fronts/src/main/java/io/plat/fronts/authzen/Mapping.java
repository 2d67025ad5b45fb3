package io.plat.fronts.authzen;

import io.plat.fronts.authzen.EvaluationRequest.Entity;
import io.plat.review.AccessAttributes;
import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.UserInfo;
import io.plat.review.codec.Members;
import io.plat.review.explain.SubjectName;
import io.plat.review.source.Quoted;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Translation of evaluations into attributes for the policy, and of names in the policy into ids.
 *
 * <p>This is the default: subjects have type {@code user}, {@code group} or {@code serviceaccount} and are authenticated, a resource's type is {@code
 * RESOURCE[.GROUP][/SUBRESOURCE]} or {@code path}. {@link MappedTypes} replaces it for the types of a file.
 *
 * <p>Unknown types are a StatusException with 404, ids or properties that are invalid for their types one with 400.
 */
class Mapping {
    /** The default mapping. */
    static final Mapping DEFAULT = new Mapping();

    private static final String PATH = "path";
    private static final String NO_NAME = "*";

    Mapping() {}

    /**
     * Returns the user of an evaluation's subject; for a subject without an id, a user who is unknown to the policy.
     *
     * @throws StatusException if there is none
     */
    UserInfo user(EvaluationRequest evaluation) throws StatusException {
        Entity subject = evaluation.subject();
        String id = subject.id();
        List<String> groups = new ArrayList<>(groups(subject));
        String name = switch (subject.type()) {
            case "user" -> id;
            case "group" -> {
                if (!id.isEmpty()) {
                    groups.add(id);
                }
                yield "";
            }
            case "serviceaccount" -> serviceAccount(id, groups);
            default -> throw unknown("subject", subject);
        };
        return new UserInfo(name, groups).withImpliedGroup();
    }

    private static List<String> groups(Entity subject) throws StatusException {
        Object groups = subject.properties().get("groups");
        return groups == null ? List.of() : strings(groups, "subject.properties.groups");
    }

    /** Returns the elements of a value that must be a list of strings. */
    static List<String> strings(Object value, String name) throws StatusException {
        List<String> strings = new ArrayList<>();
        for (Object element : value instanceof List<?> list ? list : List.of(0)) {
            if (!(element instanceof String string)) {
                throw Members.malformed(name + ": expected a list of strings");
            }
            strings.add(string);
        }
        return strings;
    }

    private static String serviceAccount(String id, List<String> groups) throws StatusException {
        groups.add(UserInfo.SERVICE_ACCOUNTS);
        if (id.isEmpty()) {
            return "";
        }
        String[] parts = id.split(":", -1);
        if (parts.length != 2 || parts[0].isEmpty() || parts[1].isEmpty()) {
            throw Members.malformed("subject.id: expected NAMESPACE:NAME, found " + Quoted.of(id));
        }
        groups.add(UserInfo.serviceAccountsOf(parts[0]));
        return UserInfo.serviceAccountUser(parts[0], parts[1]);
    }

    static StatusException unknown(String part, Entity entity) {
        return new StatusException(
                StatusReason.NOT_FOUND, "the " + part + " type " + Quoted.of(entity.type()) + " is unknown");
    }

    /**
     * Returns the access of an evaluation.
     *
     * @throws StatusException if there is none
     */
    AccessAttributes access(EvaluationRequest evaluation) throws StatusException {
        Entity resource = evaluation.resource();
        String type = resource.type();
        String id = resource.id();
        String verb = evaluation.action().id();
        if (type.equals(PATH)) {
            return new NonResourceAttributes(id, verb);
        }
        int slash = type.indexOf('/');
        String base = slash < 0 ? type : type.substring(0, slash);
        int dot = base.indexOf('.');
        String name = dot < 0 ? base : base.substring(0, dot);
        if (name.isEmpty() || type.indexOf('/', slash + 1) > slash || slash == type.length() - 1) {
            throw Members.malformed(
                    "resource.type: expected RESOURCE[.GROUP][/SUBRESOURCE] or path, found " + Quoted.of(type));
        }
        String[] place = place(resource, id);
        return new ResourceAttributes(
                place[0],
                verb,
                dot < 0 ? "" : base.substring(dot + 1),
                "",
                name,
                slash < 0 ? "" : type.substring(slash + 1),
                place[1]);
    }

    /** Returns namespace and name. */
    private static String[] place(Entity resource, String id) throws StatusException {
        String namespace = namespace(resource);
        int slash = id.indexOf('/');
        String before = slash < 0 ? "" : id.substring(0, slash);
        String name = id.substring(slash + 1);
        if (slash == 0 || name.indexOf('/') >= 0) {
            throw Members.malformed("resource.id: expected [NAMESPACE/]NAME, found " + Quoted.of(id));
        }
        if (slash > 0 && !namespace.isEmpty() && !namespace.equals(before)) {
            throw Members.malformed("resource.id: " + Quoted.of(id) + " is not in the namespace of the properties, "
                    + Quoted.of(namespace));
        }
        return new String[] {slash > 0 ? before : namespace, name.equals(NO_NAME) ? "" : name};
    }

    private static String namespace(Entity resource) throws StatusException {
        Object namespace = resource.properties().get("namespace");
        if (namespace == null || namespace instanceof String) {
            return namespace == null ? "" : (String) namespace;
        }
        throw Members.malformed("resource.properties.namespace: expected a string");
    }

    /**
     * Returns the id of a subject of the policy, or null if it has another type than the evaluation's subject.
     *
     * @throws StatusException if it cannot be determined
     */
    @Nullable
    String subjectId(EvaluationRequest evaluation, SubjectName subject) throws StatusException {
        return switch (evaluation.subject().type()) {
            case "user" -> subject.kind() == SubjectName.Kind.USER ? subject.name() : null;
            case "group" -> subject.kind() == SubjectName.Kind.GROUP ? subject.name() : null;
            case "serviceaccount" ->
                subject.kind() == SubjectName.Kind.SERVICE_ACCOUNT ? subject.namespace() + ":" + subject.name() : null;
            default -> null;
        };
    }

    /**
     * Returns the id of a resource in the policy.
     *
     * @param namespace its namespace, or {@code ""}
     * @param name its name or path, or {@code ""} for any
     * @throws StatusException if it cannot be determined
     */
    String resourceId(EvaluationRequest evaluation, String namespace, String name) throws StatusException {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }

    /** Returns the names of actions on an evaluation's resource; empty if they are the policy's verbs. */
    List<String> actions(EvaluationRequest evaluation) {
        return List.of();
    }

    final Attributes attributes(EvaluationRequest evaluation) throws StatusException {
        return new Attributes(user(evaluation), access(evaluation));
    }
}
