package io.plat.apiserver.roles;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.metadata.ObjectIdentity;
import io.plat.apiserver.operations.ParsedObject;
import io.plat.apiserver.operations.ResourceOperations;
import io.plat.apiserver.options.DeleteOptions;
import io.plat.apiserver.options.WriteOptions;
import io.plat.apiserver.patch.PatchFormat;
import io.plat.apiserver.storage.HistoryPolicy;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StoreOptions;
import io.plat.apiserver.storage.embedded.EmbeddedStore;
import io.plat.apiserver.type.DynamicTypes;
import io.plat.apiserver.type.ResourceCatalog;
import io.plat.apiserver.type.Target;
import io.plat.review.status.StatusException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Random;

/** An in-memory store with followed role objects. */
public final class RoleStore implements AutoCloseable {
    private static final String RBAC = "rbac.authorization.k8s.io";
    private static final ObjectMapper JSON = new ObjectMapper();

    public final ResourceCatalog catalog = ResourceCatalog.builtIn();
    public final ObjectStore store = EmbeddedStore.inMemory(StoreOptions.keeping(HistoryPolicy.DEFAULT));
    public final StoredRoles roles;
    public final ResourceOperations operations;

    /** Creates an empty store. */
    public RoleStore() {
        try {
            roles = StoredRoles.follow(store);
            operations = ResourceOperations.start(
                    roles.store(),
                    catalog,
                    DynamicTypes.NONE,
                    new ObjectIdentity(InstantSource.system(), new Random(7)),
                    ResourceOperations.Settings.DEFAULT);
        } catch (StorageException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Parses JSON. */
    public static ObjectNode json(String text) {
        try {
            return (ObjectNode) JSON.readTree(text.replace('\'', '"'));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns a role object, cluster-scoped if the namespace is {@code ""}. */
    public Target target(String resource, String namespace, String name) {
        return new Target(catalog.find(RBAC, "v1", resource).orElseThrow(), namespace, name);
    }

    /** Creates a role object. */
    public void create(String resource, String namespace, String json) throws StatusException {
        operations.create(target(resource, namespace, ""), ParsedObject.of(json(json)), WriteOptions.DEFAULT);
    }

    /** Changes a role object of the cluster. */
    public void patch(String resource, String name, String merge) throws StatusException {
        operations.patch(
                target(resource, "", name),
                null,
                PatchFormat.MERGE,
                merge.replace('\'', '"').getBytes(StandardCharsets.UTF_8),
                WriteOptions.DEFAULT);
    }

    /** Deletes a role object of the cluster. */
    public void delete(String resource, String name) throws StatusException {
        operations.delete(target(resource, "", name), DeleteOptions.DEFAULT);
    }

    /** Returns the stored role object. */
    public ObjectNode get(String resource, String namespace, String name) throws StatusException {
        return operations.get(target(resource, namespace, name), "").object().tree();
    }

    @Override
    public void close() throws StorageException {
        operations.close();
        roles.close();
        store.close();
    }
}
