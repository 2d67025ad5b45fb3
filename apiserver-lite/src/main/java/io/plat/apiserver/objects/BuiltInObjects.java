package io.plat.apiserver.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.metadata.ObjectIdentity;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.Transaction;
import io.plat.apiserver.stored.StoredForm;
import io.plat.apiserver.tree.ProgramData;
import java.util.Map;

/** Objects that exist on every server, as on a kube-apiserver: priority classes, flow schemas and priority levels. */
public final class BuiltInObjects {
    /** The objects, by resource and name. */
    private static final JsonNode OBJECTS = ProgramData.json(BuiltInObjects.class, "built-in-objects.json");

    private BuiltInObjects() {}

    /** Creates those that are absent. */
    public static void create(ObjectStore store, ObjectIdentity identity) throws StorageException {
        for (Map.Entry<String, JsonNode> resource : OBJECTS.properties()) {
            for (Map.Entry<String, JsonNode> builtIn : resource.getValue().properties()) {
                Key key = new Key(resource.getKey(), "", builtIn.getKey());
                if (store.latest().get(key).isPresent()) {
                    continue;
                }
                ObjectNode created = builtIn.getValue().deepCopy();
                NamespaceController.begin(created, builtIn.getKey(), identity);
                // Fails if another server of the store was first.
                store.commit(Transaction.create(key, StoredForm.encode(created)));
            }
        }
    }
}
