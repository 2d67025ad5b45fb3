package io.plat.apiserver.operations;

import io.plat.apiserver.stored.ServedList;
import io.plat.apiserver.stored.ServedObject;
import java.util.List;
import java.util.Objects;

/** What a request that succeeded is answered with. */
public sealed interface Result {
    /** The HTTP status code. */
    int code();

    /**
     * One object.
     *
     * @param code 200, or 201 for an object that was created
     * @param object the object
     * @param warnings what the client should know, one line each
     */
    record One(int code, ServedObject object, List<String> warnings) implements Result {
        public One {
            Objects.requireNonNull(object);
            warnings = List.copyOf(warnings);
        }
    }

    /**
     * A list, or a chunk of one.
     *
     * @param list the objects
     */
    record Many(ServedList list) implements Result {
        @Override
        public int code() {
            return 200;
        }
    }

    /**
     * A Status that says Success: an object is gone.
     *
     * @param name the object's name
     * @param group the group of its type
     * @param resource its resource
     * @param uid the uid that it had
     */
    record Deleted(String name, String group, String resource, String uid) implements Result {
        @Override
        public int code() {
            return 200;
        }
    }
}
