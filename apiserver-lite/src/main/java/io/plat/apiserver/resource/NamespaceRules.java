package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Namespaces: their phase and their finalizers are the server's. */
final class NamespaceRules implements TypeRules {
    /** The label by which selectors can pick one namespace. */
    static final String NAME_LABEL = "kubernetes.io/metadata.name";

    @Override
    public NameRule names() {
        return NameRule.LABEL;
    }

    @Override
    public Set<String> selectableFields() {
        return Set.of("status.phase");
    }

    @Override
    public void prepare(ObjectNode namespace, @Nullable ObjectNode before) {
        ObjectNode metadata = Json.child(namespace, "metadata");
        if (!Json.text(metadata, "name").isEmpty()) {
            Json.child(metadata, "labels").put(NAME_LABEL, Json.text(metadata, "name"));
        }
        if (before == null) {
            namespace.putObject("spec").putArray("finalizers").add(Finalizers.NAMESPACE);
            namespace.putObject("status").put("phase", "Active");
        } else {
            namespace.set("spec", before.path("spec").deepCopy());
            namespace.set("status", before.path("status").deepCopy());
        }
    }

    /** Whether nothing new may come into it. */
    static boolean terminating(ObjectNode namespace) {
        return namespace.path("metadata").hasNonNull("deletionTimestamp")
                || Json.text(namespace.path("status"), "phase").equals("Terminating");
    }

    /**
     * The same of a stored namespace. It is asked for each new object, and nearly always no: then neither word is anywhere in the
     * bytes, and nothing has to be parsed.
     */
    static boolean terminating(byte[] stored) {
        String text = new String(stored, StandardCharsets.ISO_8859_1);
        return (text.contains("deletionTimestamp") || text.contains("Terminating"))
                && terminating(StoredForm.decode(stored, 0));
    }
}
