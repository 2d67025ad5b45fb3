package io.plat.apiserver.apply;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;

/** Comparison of two objects except for one field, without copying. */
public final class JsonEquality {
    private JsonEquality() {}

    /** Returns whether all fields but one are equal; the excepted field may be absent on either side. */
    public static boolean except(String field, JsonNode one, JsonNode other) {
        if (!one.isObject() || !other.isObject()) {
            return one.equals(other);
        }
        if (sizeWithout(field, one) != sizeWithout(field, other)) {
            return false;
        }
        for (Map.Entry<String, JsonNode> each : one.properties()) {
            if (!each.getKey().equals(field) && !each.getValue().equals(other.get(each.getKey()))) {
                return false;
            }
        }
        return true;
    }

    private static int sizeWithout(String field, JsonNode object) {
        return object.has(field) ? object.size() - 1 : object.size();
    }
}
