package io.plat.apiserver.apply;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;

/** Whether two objects are the same but for a field, found out without copies of them. */
public final class JsonEquality {
    private JsonEquality() {}

    /** Whether all fields but one are the same; whether either has that one does not matter. */
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
