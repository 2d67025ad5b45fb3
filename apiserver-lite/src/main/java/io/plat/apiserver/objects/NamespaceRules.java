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

/** Rules of namespaces, whose phase and finalizers are managed by the server. */
public final class NamespaceRules implements TypeRules {
    private static final String TERMINATING = "Terminating";

    @Override
    public void prepare(ObjectNode namespace, @Nullable ObjectNode before) {
        Rules.fill("namespaces", namespace, before);
        if (before == null) {
            namespace.putObject("status").put("phase", "Active");
        } else {
            namespace.set("spec", before.path("spec").deepCopy());
            namespace.set("status", before.path("status").deepCopy());
        }
    }

    @Override
    public void generate(ObjectNode namespace, @Nullable ObjectNode before) {
        if (before == null) {
            hold(namespace);
        }
    }

    /** Sets the server's finalizer on a new or deleted namespace, so that it is emptied first. */
    private static void hold(ObjectNode namespace) {
        ArrayNode finalizers = Json.child(namespace, "spec").withArray("finalizers");
        if (!Json.texts(finalizers).contains(Finalizers.NAMESPACE)) {
            finalizers.add(Finalizers.NAMESPACE);
        }
    }

    public static void terminate(ObjectNode namespace) {
        hold(namespace);
        Json.child(namespace, "status").put("phase", TERMINATING);
    }

    @Override
    public void check(ObjectNode namespace, @Nullable ObjectNode before, Causes causes) {
        Rules.check("namespaces", Field.of(namespace, causes));
    }

    /**
     * Rules of a subresource: {@code status} or {@code finalize}.
     *
     * @param other field of the other subresource, which is reset
     */
    record SubresourceRules(String name, String other) implements TypeRules.OfPart {
        @Override
        public void prepare(ObjectNode namespace, @Nullable ObjectNode before) {
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

    static boolean terminating(ObjectNode namespace) {
        return namespace.path("metadata").hasNonNull("deletionTimestamp")
                || Json.text(namespace.path("status"), "phase").equals(TERMINATING);
    }

    /**
     * Returns whether a stored namespace is terminating. Called for each new object, and almost always false: then neither word occurs in
     * the bytes, and nothing has to be parsed.
     */
    public static boolean terminating(byte[] stored) {
        String text = new String(stored, StandardCharsets.ISO_8859_1);
        return (text.contains("deletionTimestamp") || text.contains(TERMINATING))
                && terminating(StoredForm.decode(stored, 0));
    }
}
