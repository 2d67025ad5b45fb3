package io.plat.apiserver.stored;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.conversion.ObjectConversion;
import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.ResourceType;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Objects;
import java.util.function.ToLongFunction;

/** Object in a version of its type. */
public final class ServedObject {
    private static final int LARGE = 64 << 10;

    private final ResourceType type;
    private final Key key;
    private final byte[] stored;
    private final long revision;

    private ServedObject(ResourceType type, Key key, byte[] stored, long revision) {
        this.type = Objects.requireNonNull(type);
        this.key = Objects.requireNonNull(key);
        this.stored = stored;
        this.revision = revision;
    }

    public static ServedObject of(ResourceType type, Entry entry) {
        return new ServedObject(type, entry.key(), entry.value(), entry.revision());
    }

    /** Creates an object that is not in the store: the result of a dry run, which has no resourceVersion, or a last state. */
    public static ServedObject unwritten(ResourceType type, Key key, byte[] stored, long revision) {
        return new ServedObject(type, key, stored, revision);
    }

    public ResourceType type() {
        return type;
    }

    /** Returns the namespace, or {@code ""}. */
    public String namespace() {
        return key.namespace();
    }

    public String name() {
        return key.name();
    }

    /** Returns the revision that wrote it; 0 if it was not written. */
    public long revision() {
        return revision;
    }

    public byte[] json() {
        return storedAsServed() ? StoredForm.serve(head(), stored, revision) : Json.bytes(tree());
    }

    /** Returns the size of {@link #json}, if the object is {@linkplain #storedAsServed served as stored}. */
    public long size() {
        return itemSize(head());
    }

    /** Writes {@link #json}. Nothing is copied if the object is {@linkplain #storedAsServed served as stored}. */
    public void writeTo(OutputStream out) throws IOException {
        if (storedAsServed()) {
            writeItem(head(), out);
        } else {
            out.write(json());
        }
    }

    private String head() {
        return "\"kind\":\"" + type.kind() + "\",\"apiVersion\":\"" + type.apiVersion() + "\",";
    }

    /** Returns its JSON as an item of a list of its kind: without kind and apiVersion, as in Kubernetes. */
    public byte[] item() {
        return storedAsServed() ? StoredForm.serve("", stored, revision) : Json.bytes(content());
    }

    public void writeMetadata(OutputStream out) throws IOException {
        StoredForm.writeMetadata(stored, revision, out);
    }

    public int storedSize() {
        return stored.length;
    }

    public boolean isLarge() {
        return stored.length > LARGE;
    }

    long estimate(ToLongFunction<byte[]> estimate) {
        return estimate.applyAsLong(stored);
    }

    /** Returns whether another object is the same state in the same version; stored states are compared by identity. */
    public boolean sameAs(ServedObject other) {
        return stored == other.stored && revision == other.revision && type.id().equals(other.type.id());
    }

    /** Returns a hash that is equal for {@linkplain #sameAs equal} states. */
    public int stateHash() {
        return System.identityHashCode(stored) * 31 + Long.hashCode(revision);
    }

    /** Returns whether this version is served as stored, in which case {@link #writeItem} neither copies nor parses. */
    public boolean storedAsServed() {
        return ObjectConversion.storedAsServed(type, revision);
    }

    /**
     * Returns the size of the JSON that {@link #writeItem} writes.
     *
     * @param head fields before its metadata, each with a trailing comma
     */
    public long itemSize(String head) {
        return StoredForm.size(head, stored, revision);
    }

    /** Writes the JSON of an item of a list, if the object is {@linkplain #storedAsServed served as stored}. */
    public void writeItem(String head, OutputStream out) throws IOException {
        StoredForm.write(head, stored, revision, out);
    }

    /** Returns the object as a new tree, with kind and apiVersion. */
    public ObjectNode tree() {
        ObjectNode object = Json.object();
        object.put("kind", type.kind());
        object.put("apiVersion", type.apiVersion());
        object.setAll(content());
        return object;
    }

    /** Returns the object as a new tree, as stored, without kind and apiVersion. */
    public ObjectNode stored() {
        return StoredForm.decode(stored, revision);
    }

    private ObjectNode content() {
        return ObjectConversion.serve(type, stored());
    }
}
