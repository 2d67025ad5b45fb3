package io.plat.apiserver.objects;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.metadata.Finalizers;
import io.plat.apiserver.rules.Causes;
import io.plat.apiserver.rules.Field;
import io.plat.apiserver.rules.Rules;
import io.plat.apiserver.stored.StoredForm;
import io.plat.apiserver.tree.Json;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Namespaces: their phase and their finalizers are the server's. */
public final class NamespaceRules implements TypeRules {
    /** The label by which selectors can pick one namespace. */
    static final String NAME_LABEL = "kubernetes.io/metadata.name";

    private static final String ACTIVE = "Active";
    private static final String TERMINATING = "Terminating";

    @Override
    public void prepare(ObjectNode namespace, @Nullable ObjectNode before) {
        label(namespace);
        if (before == null) {
            hold(namespace);
            namespace.putObject("status").put("phase", ACTIVE);
        } else {
            namespace.set("spec", before.path("spec").deepCopy());
            namespace.set("status", before.path("status").deepCopy());
        }
    }

    /** A namespace that is new or begins to go has the server's own finalizer, so that it is emptied first. */
    private static void hold(ObjectNode namespace) {
        ArrayNode finalizers = Json.child(namespace, "spec").withArray("finalizers");
        if (!Json.texts(finalizers).contains(Finalizers.NAMESPACE)) {
            finalizers.add(Finalizers.NAMESPACE);
        }
    }

    /** A namespace begins to go. */
    public static void terminate(ObjectNode namespace) {
        hold(namespace);
        Json.child(namespace, "status").put("phase", TERMINATING);
    }

    private static void label(ObjectNode namespace) {
        ObjectNode metadata = Json.child(namespace, "metadata");
        if (!Json.text(metadata, "name").isEmpty()) {
            Json.child(metadata, "labels").put(NAME_LABEL, Json.text(metadata, "name"));
        }
    }

    @Override
    public void check(ObjectNode namespace, @Nullable ObjectNode before, Causes causes) {
        Rules.check("namespaces", Field.of(namespace, causes));
    }

    /**
     * A part of a namespace: {@code status} or {@code finalize}.
     *
     * @param name the part
     * @param other the field that belongs to the other part and stays as it is
     */
    record OfPart(String name, String other) implements TypeRules {
        @Override
        public boolean ofPart() {
            return true;
        }

        @Override
        public void prepare(ObjectNode namespace, @Nullable ObjectNode before) {
            label(namespace);
            if (before != null) {
                namespace.set(other, before.path(other).deepCopy());
            }
            Rules.fill("namespaces/" + name, namespace, before);
        }

        @Override
        public void check(ObjectNode namespace, @Nullable ObjectNode before, Causes causes) {
            Rules.check("namespaces/" + name, Field.of(namespace, causes));
        }
    }

    /** Whether nothing new may come into it. */
    static boolean terminating(ObjectNode namespace) {
        return namespace.path("metadata").hasNonNull("deletionTimestamp")
                || Json.text(namespace.path("status"), "phase").equals(TERMINATING);
    }

    /**
     * The same of a stored namespace. It is asked for each new object, and nearly always no: then neither word is anywhere in the
     * bytes, and nothing has to be parsed.
     */
    static boolean terminating(byte[] stored) {
        String text = new String(stored, StandardCharsets.ISO_8859_1);
        return (text.contains("deletionTimestamp") || text.contains(TERMINATING))
                && terminating(StoredForm.decode(stored, 0));
    }
}
