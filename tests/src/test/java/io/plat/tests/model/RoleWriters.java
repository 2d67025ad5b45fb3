package io.plat.tests.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.metadata.ObjectIdentity;
import io.plat.apiserver.operations.ParsedObject;
import io.plat.apiserver.operations.ResourceOperations;
import io.plat.apiserver.operations.Result;
import io.plat.apiserver.options.DeleteOptions;
import io.plat.apiserver.options.WriteOptions;
import io.plat.apiserver.patch.PatchFormat;
import io.plat.apiserver.roles.EscalationGuard;
import io.plat.apiserver.roles.StoredRoles;
import io.plat.apiserver.storage.HistoryPolicy;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StoreOptions;
import io.plat.apiserver.storage.embedded.EmbeddedStore;
import io.plat.apiserver.type.DynamicTypes;
import io.plat.apiserver.type.ResourceCatalog;
import io.plat.apiserver.type.Target;
import io.plat.engine.rbac.RbacKind;
import io.plat.review.UserInfo;
import io.plat.review.status.StatusException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** An in-memory store with its role objects, written by checked users, and a copy of its contents. */
final class RoleWriters implements AutoCloseable {
    private final ResourceCatalog catalog = ResourceCatalog.builtIn();
    private final ObjectStore store = EmbeddedStore.inMemory(StoreOptions.keeping(HistoryPolicy.DEFAULT));
    private final StoredRoles roles;
    private final ResourceOperations operations;
    private final EscalationGuard guard;
    private final Map<String, JsonNode> objects = new HashMap<>();

    RoleWriters() throws StorageException {
        roles = StoredRoles.follow(store);
        operations = ResourceOperations.start(
                roles.store(),
                catalog,
                DynamicTypes.NONE,
                new ObjectIdentity(InstantSource.system(), new Random(1)),
                ResourceOperations.Settings.DEFAULT);
        guard = new EscalationGuard(roles.current(), null);
    }

    /** Returns the objects as in manifests. */
    RbacModel model() {
        return new RbacModel(List.copyOf(objects.values()), "");
    }

    boolean has(String kind, String namespace, String name) {
        return objects.containsKey(key(kind, namespace, name));
    }

    /** Returns an existing object, or a missing node. */
    JsonNode get(String kind, String namespace, String name) {
        return objects.getOrDefault(key(kind, namespace, name), MissingNode.getInstance());
    }

    private static String key(String kind, String namespace, String name) {
        return kind + "/" + namespace + "/" + name;
    }

    private Target target(String kind, String namespace, String name) {
        String resource = RbacKind.of(kind).orElseThrow().resource();
        return new Target(
                catalog.find("rbac.authorization.k8s.io", "v1", resource).orElseThrow(), namespace, name);
    }

    /** Returns the options of a user's write, or the administrator's. */
    private WriteOptions by(@Nullable UserInfo actor) {
        return actor == null ? WriteOptions.DEFAULT : WriteOptions.DEFAULT.checking(guard.of(actor));
    }

    void create(@Nullable UserInfo actor, String kind, String namespace, ObjectNode object) throws StatusException {
        keep(kind, operations.create(target(kind, namespace, ""), ParsedObject.of(object), by(actor)));
    }

    void update(@Nullable UserInfo actor, String kind, String namespace, ObjectNode object) throws StatusException {
        String name = object.at("/metadata/name").asText();
        keep(kind, operations.update(target(kind, namespace, name), ParsedObject.of(object), by(actor)));
    }

    void patch(@Nullable UserInfo actor, String kind, String namespace, String name, ObjectNode merge)
            throws StatusException {
        byte[] patch = merge.toString().getBytes(StandardCharsets.UTF_8);
        keep(kind, operations.patch(target(kind, namespace, name), null, PatchFormat.MERGE, patch, by(actor)));
    }

    void delete(String kind, String namespace, String name) throws StatusException {
        operations.delete(target(kind, namespace, name), DeleteOptions.DEFAULT);
        objects.remove(key(kind, namespace, name));
    }

    private void keep(String kind, Result.One written) {
        objects.put(
                key(kind, written.object().namespace(), written.object().name()),
                written.object().tree());
    }

    @Override
    public void close() throws StorageException {
        operations.close();
        roles.close();
        store.close();
    }
}
