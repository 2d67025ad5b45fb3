package io.plat.apiserver.stored;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** The bytes to store of objects that the server writes of its own, beside the operations that requests use. */
public final class StoredText {
    private StoredText() {}

    /** The bytes of an object, which has metadata; kind, apiVersion and resourceVersion are left out. */
    public static byte[] of(ObjectNode object) {
        return StoredForm.encode(object);
    }

    /** The object of stored bytes. */
    public static ObjectNode object(byte[] stored) {
        return StoredForm.decode(stored, 0);
    }
}
