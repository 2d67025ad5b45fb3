package io.plat.tests.model;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.storage.StorageException;
import io.plat.review.AccessAttributes;
import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.UserInfo;
import io.plat.review.status.StatusException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Users who write random role objects, each write checked against the permissions of its author.
 *
 * <p>Invariant: everything that a write newly allows, its author was allowed before in the same scope, unless the author held {@code
 * escalate} for the written role or {@code bind} for the bound role. By induction no user gains permissions without an authorized grant.
 * Permissions are determined by the RBAC model, which shares no code with the engine; holding a wildcard means that names in no rule are
 * allowed.
 */
class NoEscalationTest {
    private static final int SEQUENCES = Boolean.getBoolean("plat.full") ? 300 : 12;
    private static final int WRITES = 120;
    private static final int REQUESTS = 60;

    /** Rules of the initial users: a user without permissions cannot grant any. */
    private static final List<String> STRONG = List.of(
            "{\"verbs\":[\"get\",\"list\"],\"apiGroups\":[\"\",\"apps\"],\"resources\":[\"pods\",\"secrets\",\"*/log\"]},"
                    + "{\"verbs\":[\"get\"],\"nonResourceURLs\":[\"/a\",\"/a/*\"]}",
            "{\"verbs\":[\"*\"],\"apiGroups\":[\"\",\"apps\"],\"resources\":[\"*\"]}",
            "{\"verbs\":[\"get\"],\"apiGroups\":[\"*\"],\"resources\":[\"pods\"]}");

    private final long seed = new Random().nextLong();
    private final Random random = new Random(seed);
    private final RandomRoleWrites writes = new RandomRoleWrites(random);
    private int allowed;
    private int rejected;
    private int gains;

    private record Write(String kind, String namespace, String name, ObjectNode object, boolean creates) {}

    @Test
    void nobodyGainsRightsWithoutAnAuthorizedGrant() throws StorageException, StatusException {
        // Some sequences gain little: more follow until enough permissions were gained.
        for (int sequence = 0; sequence < SEQUENCES || (gains <= SEQUENCES && sequence < 5 * SEQUENCES); sequence++) {
            try (RoleWriters store = new RoleWriters()) {
                setUp(store);
                for (int i = 0; i < WRITES; i++) {
                    step(store, "seed " + seed + ", sequence " + sequence + ", write " + i);
                }
            }
        }
        System.out.printf("%d writes allowed, %d refused, %d permissions gained%n", allowed, rejected, gains);
        assertThat(allowed).isGreaterThan(SEQUENCES * WRITES / 20);
        assertThat(rejected).isGreaterThan(SEQUENCES * WRITES / 20);
        assertThat(gains).isGreaterThan(SEQUENCES);
    }

    /** Stores the initial objects of administrators, without any check. */
    private void setUp(RoleWriters store) throws StatusException {
        for (int i = 0; i < STRONG.size(); i++) {
            String name = "strong-" + i;
            store.create(null, "ClusterRole", "", RandomRoleWrites.role(name, STRONG.get(i)));
            boolean everywhere = i % 2 == 0;
            store.create(
                    null,
                    everywhere ? "ClusterRoleBinding" : "RoleBinding",
                    everywhere ? "" : "default",
                    RandomRoleWrites.binding(name, RandomRoleWrites.USERS.get(i)));
        }
        for (int i = 0; i < 14; i++) {
            Write write = write(store);
            if (write.creates) {
                store.create(null, write.kind, write.namespace, write.object);
            }
        }
    }

    private Write write(RoleWriters store) {
        String kind = writes.one(RandomRoleWrites.KINDS);
        String namespace = kind.startsWith("Cluster") ? "" : writes.one(RandomRoleWrites.NAMESPACES);
        String name = writes.name();
        ObjectNode object = writes.object(kind, namespace, name);
        // A roleRef is immutable.
        JsonNode roleRef = store.get(kind, namespace, name).path("roleRef");
        if (roleRef.isObject()) {
            object.set("roleRef", roleRef.deepCopy());
        }
        return new Write(kind, namespace, name, object, !store.has(kind, namespace, name));
    }

    private void step(RoleWriters store, String what) throws StatusException {
        RbacModel before = store.model();
        UserInfo actor = user(writes.one(RandomRoleWrites.USERS));
        Write write = write(store);
        boolean deletes = !write.creates && random.nextInt(5) == 0;
        if (!carryOut(store, actor, write, deletes)) {
            rejected++;
            return;
        }
        allowed++;
        RbacModel after = store.model();
        boolean exempt = !deletes && exempt(before, actor, write);
        for (AccessAttributes access : requests(write)) {
            for (String user : RandomRoleWrites.USERS) {
                Attributes requested = new Attributes(user(user), access);
                if (after.allows(requested) && !before.allows(requested)) {
                    gains++;
                    assertThat(exempt || before.allows(new Attributes(actor, access)))
                            .as("%s: %s gained %s by what %s did to %s", what, user, access, actor.name(), write)
                            .isTrue();
                }
            }
        }
    }

    /** Performs a write and returns whether it was allowed. */
    private boolean carryOut(RoleWriters store, UserInfo actor, Write write, boolean deletes) throws StatusException {
        try {
            if (deletes) {
                store.delete(write.kind, write.namespace, write.name);
            } else if (write.creates && random.nextBoolean()) {
                store.create(actor, write.kind, write.namespace, write.object);
            } else if (write.creates || random.nextBoolean()) {
                store.update(actor, write.kind, write.namespace, write.object);
            } else {
                store.patch(actor, write.kind, write.namespace, write.name, writes.content(write.kind));
            }
            return true;
        } catch (StatusException e) {
            int code = e.status().code();
            // Other refusals: a missing role, and a changed roleRef.
            if (code == 403 || code == 404 || code == 422) {
                return false;
            }
            throw e;
        }
    }

    private static UserInfo user(String name) {
        return new UserInfo(name, List.of(RandomRoleWrites.groupOf(name), "system:authenticated"));
    }

    private static boolean exempt(RbacModel before, UserInfo actor, Write write) {
        boolean role = write.kind.endsWith("Role");
        String kind = role ? write.kind : write.object.at("/roleRef/kind").asText();
        String name = role
                ? (write.creates ? "" : write.name)
                : write.object.at("/roleRef/name").asText();
        return before.allows(new Attributes(
                actor,
                new ResourceAttributes(
                        write.namespace,
                        role ? "escalate" : "bind",
                        "rbac.authorization.k8s.io",
                        "v1",
                        kind.equals("Role") ? "roles" : "clusterroles",
                        "",
                        name)));
    }

    /** Sample requests in all scopes; {@code zz} is in no rule. */
    private List<AccessAttributes> requests(Write write) {
        List<AccessAttributes> requests = new ArrayList<>();
        List<String> scopes = List.of("", "default", "kube-system", "zz");
        for (int i = 0; i < REQUESTS; i++) {
            String resource =
                    writes.one(List.of("pods", "pods/log", "secrets", "zz", "zz/log", "roles", "clusterroles"));
            int slash = resource.indexOf('/');
            boolean rbac = resource.endsWith("roles");
            requests.add(new ResourceAttributes(
                    random.nextBoolean() ? write.namespace : writes.one(scopes),
                    rbac ? writes.one(List.of("escalate", "bind")) : writes.one(List.of("get", "list", "zz")),
                    rbac ? "rbac.authorization.k8s.io" : writes.one(List.of("", "apps", "zz")),
                    "v1",
                    slash < 0 ? resource : resource.substring(0, slash),
                    slash < 0 ? "" : resource.substring(slash + 1),
                    writes.one(List.of("", "o0", "o1", "zz", "*"))));
        }
        for (String path : List.of("/a", "/a/b", "/a/b/c", "/zz")) {
            requests.add(new NonResourceAttributes(path, writes.one(List.of("get", "post", "zz"))));
        }
        return requests;
    }
}
