package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.rules.Causes;
import io.plat.apiserver.rules.NameRule;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Configuration: keys that can be file names, one mebibyte at most, and nothing changes once it is immutable. */
final class ConfigMapRules implements TypeRules {
    static final int MAX_SIZE = 1024 * 1024;

    @Override
    public void check(ObjectNode object, @Nullable ObjectNode before, Causes causes) {
        long size = 0;
        for (Map.Entry<String, JsonNode> item : object.path("data").properties()) {
            checkKey("data", item.getKey(), causes);
            if (object.path("binaryData").has(item.getKey())) {
                causes.invalid("data[" + item.getKey() + "]", item.getKey(), "duplicate of key present in binaryData");
            }
            size += item.getValue().asText().getBytes(StandardCharsets.UTF_8).length;
        }
        for (Map.Entry<String, JsonNode> item : object.path("binaryData").properties()) {
            checkKey("binaryData", item.getKey(), causes);
            size += item.getValue().asText().length() * 3L / 4;
        }
        if (size > MAX_SIZE) {
            causes.tooLong("", MAX_SIZE);
        }
        if (before != null) {
            checkImmutable(List.of("data", "binaryData"), object, before, causes);
        }
    }

    static void checkKey(String field, String key, Causes causes) {
        NameRule.CONFIG_KEY.problems(key).forEach(problem -> causes.invalid(field + "[" + key + "]", key, problem));
    }

    static void checkImmutable(List<String> fields, ObjectNode object, ObjectNode before, Causes causes) {
        if (!before.path("immutable").asBoolean()) {
            return;
        }
        if (!object.path("immutable").asBoolean()) {
            causes.forbidden("immutable", "field is immutable when `immutable` is set");
        }
        for (String field : fields) {
            if (!object.path(field).equals(before.path(field))) {
                causes.forbidden(field, "field is immutable when `immutable` is set");
            }
        }
    }
}
