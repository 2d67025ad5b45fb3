package io.plat.apiserver.operations;

import io.plat.apiserver.stored.ServedList;
import io.plat.apiserver.stored.ServedObject;
import java.util.List;

/** Result of a successful request. */
public sealed interface Result {
    /** Returns the HTTP status code. */
    default int code() {
        return 200;
    }

    /**
     * Object.
     *
     * @param code 200, or 201 for an object that was created
     * @param warnings one-line warnings for the client
     */
    record One(int code, ServedObject object, List<String> warnings) implements Result {
        public One {
            warnings = List.copyOf(warnings);
        }
    }

    /**
     * List, or a chunk of one.
     *
     * @param list the objects
     */
    record Many(ServedList list) implements Result {}

    /**
     * Success Status: an object was deleted.
     *
     * @param uid its former uid
     */
    record Deleted(String name, String group, String resource, String uid) implements Result {}
}
