package io.plat.apiserver.stored;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.conversion.Versions;
import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.ResourceType;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.function.ToLongFunction;

/** An object as one version of its type shows it. */
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

    /** What the store holds, as one version of its type. */
    public static ServedObject of(ResourceType type, Entry entry) {
        return new ServedObject(type, entry.key(), entry.value(), entry.revision());
    }

    /** What is not in the store: the outcome of a dry run, which has no resourceVersion of its own, or a last state. */
    public static ServedObject unwritten(ResourceType type, Key key, byte[] stored, long revision) {
        return new ServedObject(type, key, stored, revision);
    }

    /** The version of the type it is shown in. */
    public ResourceType type() {
        return type;
    }

    /** Its namespace, or {@code ""}. */
    public String namespace() {
        return key.namespace();
    }

    /** Its name. */
    public String name() {
        return key.name();
    }

    /** The revision that wrote it; 0 for what was not written. */
    public long revision() {
        return revision;
    }

    /** Its JSON, with kind and apiVersion. */
    public byte[] json() {
        return storedAsServed() ? StoredForm.serve(head(), stored, revision) : bytes(tree());
    }

    /** The number of bytes of {@link #json}, where the object is shown {@linkplain #storedAsServed as it is stored}. */
    public long size() {
        return StoredForm.size(head(), stored, revision);
    }

    /**
     * Writes {@link #json}. Nothing is copied where the object is shown {@linkplain #storedAsServed as it is stored}.
     *
     * @throws IOException where the stream does
     */
    public void writeTo(OutputStream out) throws IOException {
        if (storedAsServed()) {
            StoredForm.write(head(), stored, revision, out);
        } else {
            out.write(json());
        }
    }

    private String head() {
        return "\"kind\":\"" + type.kind() + "\",\"apiVersion\":\"" + type.apiVersion() + "\",";
    }

    /** Its JSON as an item of a list of its kind: without kind and apiVersion, as the field has it. */
    public byte[] item() {
        return storedAsServed() ? StoredForm.serve("", stored, revision) : bytes(content());
    }

    /**
     * Writes the JSON of its metadata, with its resourceVersion.
     *
     * @throws IOException where the stream does
     */
    public void writeMetadata(OutputStream out) throws IOException {
        StoredForm.writeMetadata(stored, revision, out);
    }

    /** How many bytes are stored of it. */
    public int storedSize() {
        return stored.length;
    }

    /** Whether no answer should copy it. */
    public boolean isLarge() {
        return stored.length > LARGE;
    }

    /** An estimate made of the bytes that are stored of it. */
    long estimate(ToLongFunction<byte[]> estimate) {
        return estimate.applyAsLong(stored);
    }

    /** Whether another is the same state shown by the same version: what is stored is compared by identity. */
    public boolean sameAs(ServedObject other) {
        return stored == other.stored && revision == other.revision && type.id().equals(other.type.id());
    }

    /** Equal for those that are {@linkplain #sameAs the same}. */
    public int stateHash() {
        return System.identityHashCode(stored) * 31 + Long.hashCode(revision);
    }

    /** Whether this version is shown just as it is stored, so that {@link #writeItem} copies and parses nothing. */
    public boolean storedAsServed() {
        return Versions.storedAsServed(type, revision);
    }

    /** The number of bytes of {@link #item}, where the object is shown {@linkplain #storedAsServed as it is stored}. */
    public int itemSize() {
        return StoredForm.itemSize(stored, revision);
    }

    /**
     * Writes {@link #item}, where the object is shown {@linkplain #storedAsServed as it is stored}.
     *
     * @throws IOException where the stream does
     */
    public void writeItem(OutputStream out) throws IOException {
        StoredForm.writeItem(stored, revision, out);
    }

    /** The object as a tree of its own, with kind and apiVersion. */
    public ObjectNode tree() {
        ObjectNode whole = Json.object();
        whole.put("kind", type.kind());
        whole.put("apiVersion", type.apiVersion());
        whole.setAll(content());
        return whole;
    }

    private ObjectNode content() {
        return Versions.serve(type, StoredForm.decode(stored, revision));
    }

    private static byte[] bytes(ObjectNode tree) {
        try {
            return Json.MAPPER.writeValueAsBytes(tree);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }
}
