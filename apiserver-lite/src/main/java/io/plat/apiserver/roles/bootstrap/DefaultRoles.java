package io.plat.apiserver.roles.bootstrap;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.objects.RoleObjects;
import io.plat.apiserver.operations.ParsedObject;
import io.plat.apiserver.operations.ResourceOperations;
import io.plat.apiserver.options.DeleteOptions;
import io.plat.apiserver.options.WriteOptions;
import io.plat.apiserver.tree.ProgramData;
import io.plat.apiserver.type.ResourceCatalog;
import io.plat.apiserver.type.ResourceType;
import io.plat.apiserver.type.Target;
import io.plat.engine.access.Coverage;
import io.plat.engine.access.CoverageResult;
import io.plat.engine.rbac.RbacKind;
import io.plat.engine.rbac.RbacRule;
import io.plat.engine.rbac.defaults.KubernetesRoles;
import io.plat.process.Tasks;
import io.plat.review.ApiGroups;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
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
     *
     * @return number of written objects
     */
    public static int reconcile(ResourceOperations operations, ResourceCatalog catalog) {
        return new DefaultRoles(operations, catalog).reconcile();
    }

    private int reconcile() {
        List<DefaultRoleObject> incomplete = new ArrayList<>();
        for (DefaultRoleObject expected : DefaultRoleObject.all()) {
            try {
                if (isIncomplete(expected)) {
                    incomplete.add(expected);
                }
            } catch (StatusException e) {
                logFailure(expected, e);
            }
        }
        return incomplete.isEmpty() ? 0 : writeConcurrently(incomplete);
    }

    private boolean isIncomplete(DefaultRoleObject expected) throws StatusException {
        Optional<ObjectNode> existing = existing(expected);
        return existing.isEmpty() || !(of(expected, existing.get()) instanceof Reconciled.Unchanged);
    }

    /** Writes concurrently, so that the first start needs few disk syncs. */
    private int writeConcurrently(List<DefaultRoleObject> incomplete) {
        int written = 0;
        try (ExecutorService threads = Tasks.virtualThreads("default-roles")) {
            List<Future<Boolean>> writes = incomplete.stream()
                    .map(expected -> threads.submit(() -> write(expected)))
                    .toList();
            for (Future<Boolean> write : writes) {
                written += write.get() ? 1 : 0;
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("a default role object could not be written", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        LOG.info(
                "default role objects were missing or incomplete and were written: count={} of={}",
                written,
                incomplete.size());
        return written;
    }

    private boolean write(DefaultRoleObject expected) {
        try {
            for (int attempt = 1; ; attempt++) {
                try {
                    writeOnce(expected);
                    return true;
                } catch (StatusException e) {
                    boolean changed = e.status().reason() == StatusReason.CONFLICT
                            || e.status().reason() == StatusReason.ALREADY_EXISTS;
                    if (!changed || attempt == MAX_ATTEMPTS) {
                        throw e;
                    }
                }
            }
        } catch (StatusException e) {
            logFailure(expected, e);
            return false;
        }
    }

    private void writeOnce(DefaultRoleObject expected) throws StatusException {
        Optional<ObjectNode> existing = existing(expected);
        if (existing.isEmpty()) {
            create(expected);
            return;
        }
        switch (of(expected, existing.get())) {
            case Reconciled.Unchanged unchanged -> {}
            case Reconciled.Completed completed ->
                operations.update(target(expected), ParsedObject.of(completed.object()), WriteOptions.DEFAULT);
            case Reconciled.Replaced replaced -> {
                String uid = existing.get().path("metadata").path("uid").asText();
                operations.delete(
                        target(expected), new DeleteOptions(false, uid, null, DeleteOptions.Propagation.UNSPECIFIED));
                create(expected);
            }
        }
    }

    private void create(DefaultRoleObject expected) throws StatusException {
        operations.create(
                target(expected).named(""), ParsedObject.of(expected.object().deepCopy()), WriteOptions.DEFAULT);
    }

    /** Returns the existing object, with its resourceVersion. */
    private Optional<ObjectNode> existing(DefaultRoleObject expected) throws StatusException {
        return operations.find(target(expected));
    }

    private Target target(DefaultRoleObject expected) {
        return new Target(type(expected.kind()), expected.namespace(), expected.name());
    }

    private ResourceType type(RbacKind kind) {
        return catalog.find(ApiGroups.RBAC, "v1", kind.resource()).orElseThrow();
    }

    private static void logFailure(DefaultRoleObject expected, StatusException failed) {
        LOG.warn(
                "a default role object is not up to date: kind={} name={} cause={}",
                expected.kind().kind(),
                expected.name(),
                failed.status().message());
    }

    /**
     * Default role object of every server.
     *
     * @param kind type of the object
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

    /** Result of the reconciliation. */
    sealed interface Reconciled {
        /** The existing object is complete, or protected. */
        record Unchanged() implements Reconciled {}

        /**
         * Parts were missing.
         *
         * @param object completed object
         */
        record Completed(ObjectNode object) implements Reconciled {}

        /** The binding refers to another role, which cannot be updated. */
        record Replaced() implements Reconciled {}
    }

    static Reconciled of(DefaultRoles.DefaultRoleObject expected, ObjectNode existing) {
        JsonNode autoupdate = existing.path("metadata").path("annotations").path(AUTOUPDATE);
        if (autoupdate.asText("").equals("false")) {
            return new Reconciled.Unchanged();
        }
        ObjectNode object = existing.deepCopy();
        complete("annotations", expected.object(), object);
        complete("labels", expected.object(), object);
        if (expected.kind().isRole()) {
            addRules(expected.object(), object);
            addSelectors(expected.object().path(AGGREGATION), object);
        } else {
            if (!sameRole(expected.object(), object)) {
                return new Reconciled.Replaced();
            }
            addSubjects(expected.object(), object);
        }
        return object.equals(existing) ? new Reconciled.Unchanged() : new Reconciled.Completed(object);
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
        List<RbacRule> desired = RoleObjects.rules(expected.path(RULES));
        List<RbacRule> present = new ArrayList<>(RoleObjects.rules(object.path(RULES)));
        // The report of missing objects is bounded; the next round covers the rest.
        while (Coverage.of(present, desired) instanceof CoverageResult.Missing missing) {
            present.addAll(missing.rules());
            missing.rules().forEach(rule -> list(object, RULES).add(RoleObjects.json(rule)));
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
