package io.plat.apiserver.operations;

import io.plat.apiserver.stored.ServedList;
import io.plat.apiserver.stored.ServedObject;
import java.util.List;

/** Result of a successful request. */
public sealed interface Result {
    default int code() {
        return 200;
    }

    /**
     * Object.
     *
     * @param code 200, or 201 for an object that was created
     */
    record One(int code, ServedObject object, List<String> warnings) implements Result {
        public One {
            warnings = List.copyOf(warnings);
        }
    }

    /** List, or a chunk of one. */
    record Many(ServedList list) implements Result {}

    /** Success Status: an object was deleted. */
    record Deleted(String name, String group, String resource, String uid) implements Result {}
}
