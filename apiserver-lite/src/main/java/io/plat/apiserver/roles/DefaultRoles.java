package io.plat.apiserver.roles;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.objects.RoleConversion;
import io.plat.apiserver.operations.ManagedObject;
import io.plat.apiserver.operations.ResourceOperations;
import io.plat.apiserver.stored.ConcurrentWrites;
import io.plat.apiserver.tree.ProgramData;
import io.plat.apiserver.type.ResourceCatalog;
import io.plat.apiserver.type.ResourceType;
import io.plat.apiserver.type.Target;
import io.plat.engine.access.Coverage;
import io.plat.engine.access.CoverageResult;
import io.plat.engine.rbac.RbacKind;
import io.plat.engine.rbac.RbacRule;
import io.plat.engine.rbac.defaults.KubernetesRoles;
import io.plat.review.ApiGroups;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creation of the default role objects, and completion of existing ones. */
public record DefaultRoles(ResourceOperations operations, ResourceCatalog catalog) {
    /** Annotation that enables reconciliation at each start. */
    static final String AUTOUPDATE = "rbac.authorization.kubernetes.io/autoupdate";

    private static final String RULES = "rules";
    private static final String SUBJECTS = "subjects";
    private static final String AGGREGATION = "aggregationRule";
    private static final Logger LOG = LoggerFactory.getLogger(DefaultRoles.class);

    /** Maximum number of retries after concurrent changes. */
    private static final int MAX_ATTEMPTS = 3;

    /**
     * Reconciles the default role objects. Failures, such as a full disk, are logged and retried at the next start: they result in fewer
     * permissions, never more.
     */
    public static int reconcile(ResourceOperations operations, ResourceCatalog catalog) {
        var roles = new DefaultRoles(operations, catalog);
        List<DefaultRoleObject> incomplete =
                DefaultRoleObject.all().stream().filter(roles::isIncomplete).toList();
        // Concurrently, so that the first start needs few disk syncs.
        List<ConcurrentWrites.Failure<DefaultRoleObject>> failures =
                ConcurrentWrites.run("default-roles", incomplete, expected -> 0, roles::write);
        for (ConcurrentWrites.Failure<DefaultRoleObject> failed : failures) {
            LOG.warn(
                    "a default role object is not up to date: kind={} name={} cause={}",
                    failed.item().kind().kind(),
                    failed.item().name(),
                    failed.refusal().status().message());
        }
        int written = incomplete.size() - failures.size();
        if (!incomplete.isEmpty()) {
            LOG.info(
                    "default role objects were missing or incomplete and were written: count={} of={}",
                    written,
                    incomplete.size());
        }
        return written;
    }

    private ManagedObject object(DefaultRoleObject expected) {
        ResourceType type =
                catalog.find(ApiGroups.RBAC, "v1", expected.kind().resource()).orElseThrow();
        return new ManagedObject(operations, new Target(type, expected.namespace(), expected.name()));
    }

    private boolean isIncomplete(DefaultRoleObject expected) {
        try {
            Optional<ObjectNode> existing = object(expected).now();
            return existing.isEmpty() || !completed(expected, existing.get()).equals(existing);
        } catch (StatusException unreadable) {
            // Writing it fails in the same way, and is logged.
            return true;
        }
    }

    private void write(DefaultRoleObject expected) throws StatusException {
        for (int attempt = 1; ; attempt++) {
            try {
                writeOnce(expected);
                return;
            } catch (StatusException e) {
                boolean changed = e.status().reason() == StatusReason.CONFLICT
                        || e.status().reason() == StatusReason.ALREADY_EXISTS;
                if (!changed || attempt == MAX_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private void writeOnce(DefaultRoleObject expected) throws StatusException {
        ManagedObject object = object(expected);
        Optional<ObjectNode> existing = object.now();
        Optional<ObjectNode> completed = existing.flatMap(present -> completed(expected, present));
        if (completed.isPresent()) {
            object.update(completed.get());
            return;
        }
        if (existing.isPresent()) {
            object.delete(existing.get());
        }
        object.create(expected.object().deepCopy());
    }

    /**
     * Default role object of every server.
     *
     * @param object minimum contents; not to be modified
     */
    record DefaultRoleObject(RbacKind kind, ObjectNode object) {
        /** Returns all of them: roles before bindings, so that no binding precedes its role. */
        static List<DefaultRoleObject> all() {
            List<DefaultRoleObject> roles = new ArrayList<>();
            List<DefaultRoleObject> bindings = new ArrayList<>();
            for (JsonNode object : ProgramData.json(KubernetesRoles.class, KubernetesRoles.LATEST.file())) {
                RbacKind kind = RbacKind.of(object.path("kind").asText()).orElseThrow();
                (kind.isRole() ? roles : bindings).add(new DefaultRoleObject(kind, (ObjectNode) object));
            }
            roles.addAll(bindings);
            return roles;
        }

        String namespace() {
            return object.path("metadata").path("namespace").asText("");
        }

        String name() {
            return object.path("metadata").path("name").asText();
        }
    }

    /** Returns an existing object with its missing parts; empty if it is a binding of another role, which must be replaced. */
    static Optional<ObjectNode> completed(DefaultRoleObject expected, ObjectNode existing) {
        JsonNode autoupdate = existing.path("metadata").path("annotations").path(AUTOUPDATE);
        if (autoupdate.asText("").equals("false")) {
            return Optional.of(existing);
        }
        ObjectNode object = existing.deepCopy();
        complete("annotations", expected.object(), object);
        complete("labels", expected.object(), object);
        if (expected.kind().isRole()) {
            addRules(expected.object(), object);
            addSelectors(expected.object().path(AGGREGATION), object);
        } else if (sameRole(expected.object(), object)) {
            addSubjects(expected.object(), object);
        } else {
            return Optional.empty();
        }
        return Optional.of(object);
    }

    /** Adds missing keys; existing ones keep their values. */
    private static void complete(String map, JsonNode expected, ObjectNode object) {
        ObjectNode metadata = (ObjectNode) object.path("metadata");
        expected.path("metadata").path(map).properties().forEach(entry -> {
            ObjectNode present = metadata.withObjectProperty(map);
            if (!present.has(entry.getKey())) {
                present.set(entry.getKey(), entry.getValue());
            }
        });
    }

    private static void addRules(JsonNode expected, ObjectNode object) {
        List<RbacRule> desired = RoleConversion.rules(expected.path(RULES));
        List<RbacRule> present = new ArrayList<>(RoleConversion.rules(object.path(RULES)));
        // The report of missing objects is bounded; the next round covers the rest.
        while (Coverage.of(present, desired) instanceof CoverageResult.Missing missing) {
            present.addAll(missing.rules());
            missing.rules().forEach(rule -> list(object, RULES).add(RoleConversion.json(rule)));
        }
    }

    private static void addSelectors(JsonNode expected, ObjectNode object) {
        if (expected.isMissingNode()) {
            object.remove(AGGREGATION);
            return;
        }
        ArrayNode selectors = list(object.withObjectProperty(AGGREGATION), "clusterRoleSelectors");
        for (JsonNode selector : expected.path("clusterRoleSelectors")) {
            if (!contains(selectors, selector)) {
                selectors.add(selector);
            }
        }
    }

    private static void addSubjects(JsonNode expected, ObjectNode object) {
        for (JsonNode subject : expected.path(SUBJECTS)) {
            if (!contains(object.path(SUBJECTS), subject)) {
                list(object, SUBJECTS).add(subject);
            }
        }
    }

    private static boolean contains(JsonNode list, JsonNode desired) {
        return list.valueStream().anyMatch(desired::equals);
    }

    private static ArrayNode list(ObjectNode object, String field) {
        return object.path(field) instanceof ArrayNode present ? present : object.putArray(field);
    }

    private static boolean sameRole(JsonNode expected, JsonNode object) {
        JsonNode desired = expected.path("roleRef");
        JsonNode present = object.path("roleRef");
        return desired.path("kind").equals(present.path("kind"))
                && desired.path("name").equals(present.path("name"))
                && ApiGroups.canonical(present.path("apiGroup").asText())
                        .equals(desired.path("apiGroup").asText());
    }
}
